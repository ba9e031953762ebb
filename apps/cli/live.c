/* `tallow live`. What needs libwebsockets is in apps/live. */
#include "command.h"
#include "terminal.h"

#ifdef TL_HAS_LIVE

#include "live/live.h"
#include "scene_of.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORTEST_TOKEN = 16 };

static volatile int stop;

static void request_stop(int signal_number) {
    (void)signal_number;
    if (stop)
        _exit(CLI_INTERRUPTED);
    stop = 1;
}

static void catch_signals(void) {
    struct sigaction action = {.sa_handler = request_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void show_address(void *context, const char *address, const live_player *player) {
    const cli_arguments *arguments = context;
    char count[CLI_SHORT];
    if (cli_has(arguments, "json")) {
        printf("{\"address\": ");
        cli_print_json(stdout, address);
        printf(", \"particles\": %zu}\n", live_player_count(player));
    } else {
        const cli_style style = cli_style_of(stdout);
        if (!cli_has(arguments, "quiet") && !live_player_title(player))
            printf("Open this in a browser and choose a scene; Ctrl-C ends it.\n");
        else if (!cli_has(arguments, "quiet"))
            printf("%s: %s particles. Open this in a browser; Ctrl-C ends it.\n",
                   live_player_title(player), cli_count((double)live_player_count(player), count));
        printf("%s%s%s\n", style.bold, address, style.reset);
    }
    fflush(stdout);
}

static void show_message(void *context, tl_log_level level, const char *message) {
    (void)context, (void)level;
    fprintf(stderr, "warning: %s\n", message);
}

/* Letters and digits, long enough not to be guessed. */
static bool take_token(const char *given, char out[LIVE_TOKEN]) {
    const size_t length = strlen(given);
    if (length < SHORTEST_TOKEN || length >= LIVE_TOKEN ||
        strspn(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") !=
            length) {
        cli_complain("--token: give %d to %d letters and digits", SHORTEST_TOKEN, LIVE_TOKEN - 1);
        return false;
    }
    memcpy(out, given, length + 1);
    return true;
}

static void say_record(const cli_arguments *arguments, const live_record *record) {
    if (*record->file && !cli_has(arguments, "quiet"))
        printf("what was told is in %s; to see it again: tallow run %s --replay %s\n", record->file,
               record->scene, record->file);
}

static int serve(const cli_arguments *arguments, live_options *options,
                 live_server_options *server) {
    live_record record;
    tl_error error = {0};
    catch_signals();
    const tl_status status =
        live_serve(options, server, show_address, (void *)(uintptr_t)arguments, &record, &error);
    const tl_diagnostics *findings = options->scene_options.diagnostics;
    if (status != TL_OK && findings->count > 0)
        cli_print_findings(stderr, findings);
    if (status != TL_OK && findings->error_count == 0)
        cli_complain_error(&error);
    say_record(arguments, &record);
    return status == TL_OK ? CLI_DONE : cli_exit_code(status);
}

int cli_live(const cli_arguments *arguments) {
    tl_diagnostics findings = {0};
    int64_t threads, port;
    live_options options = {.name = arguments->word_count ? arguments->words[0] : NULL,
                            .record = cli_value(arguments, "record"),
                            .paused = cli_has(arguments, "paused"),
                            .log = {.write = show_message, .level = TL_LOG_WARNING}};
    const char *host = cli_value(arguments, "host");
    live_server_options server = {.host = host ? host : "127.0.0.1", .stop = &stop};
    if (!cli_integer(arguments, "threads", 1, 4096, 0, &threads) ||
        !cli_integer(arguments, "port", 1, 65535, 0, &port) ||
        (cli_has(arguments, "token") && !take_token(cli_value(arguments, "token"), server.token)))
        return CLI_BAD_INPUT;
    options.threads = (int)threads;
    server.port = (int)port;
    char **overrides = cli_overrides(arguments, &options.scene_options.override_count);
    if (!overrides) {
        cli_complain("no memory for the command line");
        return CLI_FAILED;
    }
    options.scene_options.overrides = (const char *const *)overrides;
    options.scene_options.diagnostics = &findings;
    const int code = serve(arguments, &options, &server);
    cli_overrides_free(overrides);
    tl_diagnostics_clear(&findings);
    return code;
}

#else

int cli_live(const cli_arguments *arguments) {
    (void)arguments;
    cli_complain("this build of tallow has no `live`: it needs libwebsockets; install "
                 "libwebsockets-dev and build again (meson setup --reconfigure build)");
    return CLI_FAILED;
}

#endif
