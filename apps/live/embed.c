/* Prints C that holds the files of the command line, for page.h: built and run while the command is
 * built. */
#include <stdio.h>
#include <string.h>

static const char *type_of(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".svg", "image/svg+xml"}};
    const char *end = strrchr(name, '.');
    for (size_t k = 0; end && k < sizeof types / sizeof *types; k++)
        if (strcmp(end, types[k][0]) == 0)
            return types[k][1];
    return "application/octet-stream";
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int print_bytes(const char *path, int number) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    printf("static const unsigned char file_%d[] = {", number);
    size_t n = 0;
    for (int c; (c = getc(file)) != EOF; n++)
        printf("%s%d,", n % 20 ? "" : "\n", c);
    printf("0};\n");
    return fclose(file) != 0 || n == 0;
}

int main(int count, char **paths) {
    printf("#include \"page.h\"\n");
    for (int k = 1; k < count; k++)
        if (print_bytes(paths[k], k) != 0)
            return 1;
    printf("const live_file live_page[] = {\n");
    for (int k = 1; k < count; k++)
        printf("{\"%s\", \"%s\", file_%d, sizeof file_%d - 1},\n", name_of(paths[k]),
               type_of(paths[k]), k, k);
    printf("};\nconst size_t live_page_count = %d;\n", count - 1);
    return fflush(stdout) != 0;
}
