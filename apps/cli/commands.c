/* The tables of commands and options. See command.h. */
#include "command.h"

/* ---- Options ------------------------------------------------------------------------------- */

static const cli_option output = {"output", 'o', "DIR", "Folder of the run [out/SCENE]"};
static const cli_option set = {"set", 's', "KEY=VALUE", "Change a value of the scene; repeatable"};
static const cli_option live_set = {"set", 's', "KEY=VALUE",
                                    "Go on with another value; repeatable"};
static const cli_option sweep_set = {"set", 's', "KEY=A,B",
                                     "Values of a key; one value is for all; repeatable"};
static const cli_option jobs = {"jobs", 'j', "N", "Runs at a time [1]"};
static const cli_option slurm = {"slurm", 0, NULL, "Print an array job for Slurm instead"};
static const cli_option sweep_output = {"output", 'o', "DIR", "Folder of runs [out/SCENE-sweep]"};
static const cli_option threads = {"threads", 't', "N", "Threads; the result is the same [all]"};
static const cli_option frames = {"frames", 'n', "N", "Stop at frame N; resume goes on from it"};
static const cli_option until = {"until", 'u', "TIME", "Simulate until TIME: 2.5, 300ms"};
static const cli_option spacing = {"spacing", 'd', "LENGTH", "Particle spacing: 0.01, 5mm"};
static const cli_option quiet = {"quiet", 'q', NULL, "Print errors only"};
static const cli_option json = {"json", 'j', NULL, "Print JSON"};
static const cli_option json_lines = {"json", 'j', NULL, "Print JSON, one object a line"};
static const cli_option force = {"force", 'f', NULL, "Replace an earlier run in the folder"};
static const cli_option no_film = {"no-film", 0, NULL, "Draw no pictures and make no film"};
static const cli_option keep_pictures = {"keep-pictures", 0, NULL,
                                         "Keep the pictures that the film is made of"};
static const cli_option no_plots = {"no-plots", 0, NULL, "Draw no plots of the ledger at the end"};
static const cli_option replay = {"replay", 0, "FILE", "Tell it again what `tallow live` recorded"};
static const cli_option strict = {"strict", 0, NULL, "Stop with code 1 when results are in doubt"};
static const cli_option markdown = {"markdown", 'm', NULL, "Print Markdown"};
static const cli_option schema = {"schema", 0, NULL, "Print a JSON Schema of scenes, for editors"};
static const cli_option like = {"like", 'l', "drop|melt|pour|slump", "What it begins as [drop]"};
static const cli_option names = {"names", 0, NULL, "Print bare names, one a line"};
static const cli_option to = {"to", 0, "csv|ply|vtp|povray", "Format of the files"};
static const cli_option scene_colour_by = {"colour-by", 'c', "FIELD",
                                           "Colours for povray: a field, or material"};
static const cli_option range = {"frames", 'n', "A:B", "Frames A to B, A: on, :B, or one [all]"};
static const cli_option target = {"output", 'o', "DIR", "Folder for the files [DIR/FORMAT]"};
static const cli_option cells = {"cells", 'c', "C",
                                 "Width of cells in particle spacings, 0.1 to 1 [0.5]"};
static const cli_option smooth = {"smooth", 0, "N", "Pairs of smoothing steps [10]"};
static const cli_option mesh_to = {"to", 0, "ply|obj|vtp|glb",
                                   "Formats, with commas between [ply]"};
static const cli_option mesh_target = {"output", 'o', "DIR", "Folder for the files [DIR/surface]"};
static const cli_option mesh_spacing = {"spacing", 'd', "LENGTH",
                                        "Spacing of particles [of run.yaml]"};
static const cli_option by_material = {"by-material", 0, NULL, "One surface a material"};
static const cli_option round_blobs = {"round", 0, NULL,
                                       "Do not stretch particles along threads and sheets"};
static const cli_option columns = {"columns", 'c', "NAMES",
                                   "One plot of these, with commas between"};
static const cli_option over = {"over", 0, "COLUMN", "Column along the axis [time]"};
static const cli_option plot_to = {"to", 0, "svg|png", "Format of the files [both]"};
static const cli_option tolerance = {"tolerance", 0, "X",
                                     "Exit with 1 when a column differs by more"};
static const cli_option plot_target = {"output", 'o', "DIR", "Folder for the files [DIR/plots]"};
static const cli_option log_axes = {"log", 0, "x|y|xy", "Logarithmic axes"};
static const cli_option size = {"size", 0, "WxH", "Pixels of a plot [1280x800]"};
static const cli_option particles = {"particles", 'p', "N",
                                     "Particles of the small block [100000]"};
static const cli_option large = {"large", 'l', NULL, "Also measure a block of 2 million"};
static const cli_option rest = {"rest", 0, NULL, "Start the block from rest, as dam breaks do"};
static const cli_option repeats = {"repeats", 'r', "N", "Repeats; the fastest counts [6]"};
static const cli_option bench_threads = {"threads", 't', "N", "Threads to compare with one [2]"};

static const cli_option look = {"look", 'l', "spheres|smooth|surface|traced|balls|ellipsoids",
                                "How matter is shown"};
static const cli_option colour_by = {"colour-by", 'c', "FIELD",
                                     "Field of the frames, or material [of the scene]"};
static const cli_option colour_map = {"colour-map", 0, "MAP",
                                      "viridis, inferno, magma, plasma, cividis, grey or turbo"};
static const cli_option colour_range = {"range", 'r', "A:B",
                                        "Ends of the colour bar [of all frames together]"};
static const cli_option picture_size = {"size", 0, "WxH", "Pixels of a picture [of the scene]"};
static const cli_option camera_from = {"from", 0, "P", "Place of the camera: 0.3,-0.4,25cm"};
static const cli_option camera_look_at = {"look-at", 0, "P", "Point in the middle of the picture"};
static const cli_option camera_fov = {"fov", 0, "ANGLE", "Vertical opening of the camera: 35deg"};
static const cli_option every = {"every", 'e', "N", "Every Nth of the frames [1]"};
static const cli_option turntable = {"turntable", 0, "N",
                                     "Go round the last frame, or -n FRAME, in N pictures"};
static const cli_option side_by_side = {"side-by-side", 0, NULL,
                                        "All runs in one picture, at the times of the first"};
static const cli_option sheet = {"sheet", 0, "NxM", "One picture of N x M frames"};
static const cli_option still = {"still", 0, "FRAME", "One picture of one frame"};
static const cli_option film_kind = {"film", 0, "mp4|webm|gif|none",
                                     "Format of the film [of the scene]"};
static const cli_option film_fps = {"fps", 0, "N", "Pictures a second of the film [one a frame]"};
static const cli_option film_slow = {"slow", 0, "FACTOR", "Slow motion"};
static const cli_option samples = {"samples", 0, "N", "Of the look traced, a pixel [64]"};
static const cli_option seconds = {"seconds", 0, "S", "A picture of the look traced may take"};
static const cli_option no_denoise = {"no-denoise", 0, NULL, "Keep the noise of the samples"};
static const cli_option no_caption = {"no-caption", 0, NULL, "Without the time"};
static const cli_option no_legend = {"no-legend", 0, NULL, "Without the colour bar"};
static const cli_option scale_bar = {"scale-bar", 0, NULL, "With a bar of a round length"};
static const cli_option render_target = {"output", 'o', "DIR",
                                         "Folder, or .png of a sheet or still [RUN/render]"};
static const cli_group run_groups[] = {
    {"no-film", 2, "Without pictures and film; without plots of the ledger"}, {NULL, 0, NULL}};
static const cli_group render_groups[] = {
    {"colour-by", 2, "Field, or material; viridis, turbo, ..."},
    {"from", 3, "Camera: 0.3,-0.4,25cm and 35deg"},
    {"fps", 3, "A second; slow motion; pictures stay"},
    {"samples", 3, "Of the look traced: effort a picture"},
    {"no-caption", 3, "Words; a bar of a round length"},
    {NULL, 0, NULL}};

static const cli_option port = {"port", 'p', "N", "Port to listen at [one that is free]"};
static const cli_option host = {"host", 0, "ADDRESS", "Address to listen at [127.0.0.1]"};
static const cli_option token = {"token", 0, "WORD", "Word in the address [random]"};
static const cli_option paused = {"paused", 0, NULL, "Wait for somebody to press play"};
static const cli_option record = {"record", 'r', "FILE",
                                  "Where what was told goes [SCENE-live.txt]"};

#define OPTIONS(...) ((const cli_option *const[]){__VA_ARGS__, NULL})
#define WORDS(...)   ((const char *const[]){__VA_ARGS__, NULL})

/* ---- Commands ------------------------------------------------------------------------------ */

const cli_command cli_commands[] = {
    {.name = "run",
     .summary = "Simulate a scene",
     .usage = "SCENE [options]",
     .text = "SCENE is a YAML file, or the name of one that `tallow list scenes` shows.\n"
             "Leaves a folder with the frames, the ledger, a film and a picture, and says\n"
             "what is in it. Ctrl-C stops after the current step; `tallow resume` goes on.",
     .options = OPTIONS(&output, &set, &threads, &frames, &until, &spacing, &no_film, &no_plots,
                        &keep_pictures, &strict, &replay, &force, &quiet, &json_lines),
     .groups = run_groups,
     .examples = WORDS("tallow run dam-break", "leaves out/dam-break/", //
                       "tallow run dam-break --spacing 1cm -o fine", "eight times the particles",
                       "tallow run my.yaml --set materials.water.viscosity=0.1", "thicker water"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_SCENE,
     .call = cli_run},
    {.name = "live",
     .summary = "Run a scene in the browser and touch it",
     .usage = "[SCENE|DIR] [options]",
     .text =
         "Prints an address to open in a browser on this machine. The page shows the matter\n"
         "as it is computed: drag it, move flames and walls, change viscosities. What was\n"
         "told is recorded, and `tallow run --replay` makes the same run of it, bit for bit.\n"
         "The folder of a run is played instead; without either, the page has a list of scenes\n"
         "to start. Ctrl-C ends it.",
     .options =
         OPTIONS(&set, &spacing, &threads, &paused, &record, &port, &host, &token, &quiet, &json),
     .examples = WORDS("tallow live candle-drips", "and open what it prints",
                       "tallow live out/candle-drips", "a run that is done"),
     .min_words = 0,
     .max_words = 1,
     .words = CLI_WORDS_SCENE,
     .call = cli_live},
    {.name = "resume",
     .summary = "Go on with a run from its last snapshot, bit for bit",
     .usage = "DIR [options]",
     .text = "Works after Ctrl-C, a kill, a full disk or a power cut: frames after the last\n"
             "good snapshot are made again, and the run ends with the same bits as one\n"
             "that was never stopped. --frames and --until of the run stay as they were.\n"
             "--set changes what the state does not depend on: viscosities, conductivities,\n"
             "temperatures of walls and of the air, powers of sources, steps and tolerances\n"
             "(`tallow describe` marks them \"live\"), pictures and other output. The change is\n"
             "told in log.txt and at the head of run.yaml.",
     .options = OPTIONS(&threads, &live_set, &frames, &until, &keep_pictures, &strict, &quiet,
                        &json_lines),
     .examples = WORDS("tallow resume out/dam-break", "from where it stopped",
                       "tallow resume out/dam-break --until 5s", "make a finished run longer",
                       "tallow resume out/wax --set walls.plate.temperature=90", "hotter from now"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_FOLDER,
     .call = cli_resume},
    {.name = "sweep",
     .summary = "Run a scene with all combinations of some values",
     .usage = "SCENE --set KEY=A,B,C [--set ...] [options]",
     .text = "One folder a run, named by its values. Given again, the same words go on: what is\n"
             "finished is left alone, what was begun is resumed. Leaves sweep.csv (a row a run:\n"
             "values, how it ended, the last rows of ledger and measures), plots of all runs\n"
             "over each other, and sheet.png with a picture of each. Ctrl-C stops all runs.",
     .options = OPTIONS(&sweep_set, &jobs, &threads, &sweep_output, &slurm, &frames, &until,
                        &spacing, &no_film, &no_plots, &quiet),
     .examples = WORDS("tallow sweep drop --set spacing=1cm,5mm --set flow.cfl=0.1,0.3 -j 2",
                       "four runs, two at a time",
                       "tallow sweep drop --set spacing=1cm,5mm --slurm | sbatch", "on a cluster"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_SCENE,
     .call = cli_sweep_command},
    {.name = "new",
     .summary = "Write a commented scene to begin with",
     .usage = "NAME [options]",
     .text = "Leaves NAME.yaml, which runs as it is; a file that is there already stays.",
     .options = OPTIONS(&like, &quiet),
     .examples = WORDS("tallow new candle --like melt", "a block on a hot plate: candle.yaml"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_NONE,
     .call = cli_new},
    {.name = "check",
     .summary = "Find all errors of a scene without running it",
     .usage = "SCENE [options]",
     .text = "Prints every error and warning with its line and what would be right.\n"
             "Exit code 2 when there are errors.",
     .options = OPTIONS(&set, &spacing, &until, &quiet, &json),
     .examples = WORDS("tallow check my.yaml", "every finding at once",
                       "tallow check my.yaml --json", "for editors and scripts"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_SCENE,
     .call = cli_check},
    {.name = "describe",
     .summary = "Show the parameters of a scene: unit, default, range, meaning",
     .usage = "[TABLE] [options]",
     .text = "Without a TABLE: all of them.",
     .options = OPTIONS(&markdown, &json, &schema),
     .examples = WORDS("tallow describe wall", "what a wall can be", "tallow describe --markdown",
                       "the reference page", "tallow describe --schema > scene.schema.json",
                       "for editors: they complete, check and explain keys"),
     .max_words = 1,
     .words = CLI_WORDS_NONE,
     .call = cli_describe},
    {.name = "list",
     .summary = "List the scenes, materials or models there are",
     .usage = "[scenes|materials|models] [options]",
     .text = "Scenes and materials are looked for in $TALLOW_PATH, a list of folders with\n"
             "colons in between, and then where Tallow is installed.",
     .options = OPTIONS(&names, &json),
     .examples = WORDS("tallow list scenes", "what `tallow run NAME` can run"),
     .max_words = 1,
     .words = CLI_WORDS_CHOICE,
     .choices = WORDS("scenes", "materials", "models"),
     .call = cli_list},
    {.name = "info",
     .summary = "Show a run at a glance",
     .usage = "DIR [options]",
     .text = "State, size, speed, what is conserved and how well, warnings.",
     .options = OPTIONS(&json),
     .examples = WORDS("tallow info out/dam-break", "also while it runs"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_FOLDER,
     .call = cli_info},
    {.name = "plot",
     .summary = "Draw the ledger and the measures of runs as curves over time",
     .usage = "DIR [DIR ...] [options]",
     .text = "Energies, mass, speed, steps and errors of ledger.csv: one plot a group of columns,\n"
             "and overview.svg and .png with all of them; those of measures.csv likewise, with\n"
             "measures.svg and .png. Also while the run is at work. Several runs are laid over\n"
             "each other on the sheets alone, a curve a run. With --columns: one plot of those.\n"
             "Beside the ledger's own columns there are iterations_per_step, steps_per_frame,\n"
             "rejected_per_frame and potential_energy_change.",
     .options = OPTIONS(&columns, &over, &log_axes, &size, &plot_to, &plot_target, &quiet),
     .examples = WORDS("tallow plot out/dam-break", "leaves out/dam-break/plots/",
                       "tallow plot out/dam-break -c kinetic_energy,max_speed --to svg",
                       "one figure of two columns", "tallow plot out/coarse out/fine -c max_speed",
                       "two runs in one plot"),
     .min_words = 1,
     .max_words = 32,
     .words = CLI_WORDS_FOLDER,
     .call = cli_plot},
    {.name = "compare",
     .summary = "Tell how the ledgers and the measures of two runs differ",
     .usage = "DIR DIR [options]",
     .text = "Of each column that both have, at the times that both have: the largest difference,\n"
             "relative to the largest value of the column, and when it is. With --tolerance also\n"
             "from when on it is larger than that, and exit code 1 if any is.",
     .options = OPTIONS(&tolerance, &quiet),
     .examples = WORDS("tallow compare out/a out/b", "where they differ most",
                       "tallow compare out/a out/b --tolerance 1e-6", "for scripts"),
     .min_words = 2,
     .max_words = 2,
     .words = CLI_WORDS_FOLDER,
     .call = cli_compare},
    {.name = "export",
     .summary = "Write the frames of a run in another format",
     .usage = "DIR --to FORMAT [options]",
     .text = "csv: a row a particle, for spreadsheets. ply: points for Blender and MeshLab.\n"
             "vtp: for ParaView, which opens frames.pvd of a run as it is. povray: scenes that\n"
             "`povray` renders as they are: surfaces, walls, lights and camera.",
     .options = OPTIONS(&to, &range, &target, &scene_colour_by, &quiet),
     .examples = WORDS("tallow export out/dam-break --to ply", "all frames",
                       "tallow export out/dam-break --to csv -n 10:20", "eleven of them"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_FOLDER,
     .call = cli_export},
    {.name = "surface",
     .summary = "Make triangle meshes of the matter in the frames of a run",
     .usage = "DIR|FRAME.vtp [options]",
     .text = "Half a spacing outside the outermost particles: closed, smooth, with temperature,\n"
             "velocity, viscosity, material and normals on its vertices; also while the run\n"
             "is at work. ply has the fields, for Blender and MeshLab; vtp too, for ParaView;\n"
             "glb is glTF, in the colours of the pictures; obj is text for everything else.\n"
             "Half the width of cells is four times the triangles.",
     .options = OPTIONS(&range, &cells, &smooth, &mesh_to, &by_material, &round_blobs,
                        &mesh_spacing, &mesh_target, &threads, &quiet),
     .examples = WORDS("tallow surface out/wax-figure", "leaves out/wax-figure/surface/*.ply",
                       "tallow surface out/wax-figure -n 60: --to glb -o web", "for a web page",
                       "tallow surface out/drop/frames/00030.vtp --cells 0.25", "one, finer"),
     .min_words = 1,
     .max_words = 1,
     .words = CLI_WORDS_FOLDER,
     .call = cli_surface},
    {.name = "render",
     .summary = "Draw pictures and a film from the frames of runs",
     .usage = "RUN [RUN2 ...] [options]",
     .text = "Also while a run is at work, and after it was killed. One colour range for all.",
     .options = OPTIONS(&look, &colour_by, &colour_map, &colour_range, &picture_size, &range,
                        &every, &camera_from, &camera_look_at, &camera_fov, &turntable,
                        &side_by_side, &sheet, &still, &film_kind, &film_fps, &film_slow,
                        &keep_pictures, &samples, &seconds, &no_denoise, &no_caption, &no_legend,
                        &scale_bar, &render_target, &threads, &quiet),
     .groups = render_groups,
     .examples = WORDS("tallow render out/drop --look surface -c velocity --slow 4",
                       "leaves out/drop/render/", //
                       "tallow render out/xsph-on out/xsph-off --side-by-side -o both", ""),
     .min_words = 1,
     .max_words = 16,
     .words = CLI_WORDS_FOLDER,
     .call = cli_render},
    {.name = "bench",
     .summary = "Measure the speed of the solver on this machine",
     .usage = "[water|splash|viscous|elastic|sizes|heat|thermal|…] [options]",
     .text =
         "water: times explicit steps of a block of water, on one and on more threads in turn,\n"
         "and relates them to what the processor could do at best. splash: a dam breaks in\n"
         "explicit and in coupled steps. viscous: a viscous cube collapses by the implicit "
         "scheme.\n"
         "elastic: steps of elastic matter beside those of viscous. sizes: particles of three\n"
         "sizes beside those of one. cost: steps of a scene with more and more particles. heat:\n"
         "exchanges of heat, areas and light. thermal: steps of thermal particles. surface: the\n"
         "mesh of 100 thousand particles. collide: what collisions with meshes take of a step.\n"
         "render: pictures of 1280 x 720, pass by pass. trace: counts rays. --large: larger ones.",
     .options = OPTIONS(&particles, &large, &rest, &repeats, &bench_threads, &json),
     .examples =
         WORDS("tallow bench", "half a minute", "tallow bench --large", "needs 1 GB",
               "tallow bench viscous", "half a minute", "tallow bench heat", "some seconds"),
     .max_words = 1,
     .words = CLI_WORDS_CHOICE,
     .choices = WORDS("water", "splash", "viscous", "elastic", "sizes", "cost", "heat", "thermal",
                      "surface", "collide", "render", "trace"),
     .call = cli_bench},
    {.name = "help",
     .summary = "Explain a command",
     .usage = "[COMMAND]",
     .text = "The same as `tallow COMMAND --help`.",
     .options = OPTIONS(NULL),
     .examples = WORDS("tallow help run", "its options, with examples"),
     .max_words = 1,
     .words = CLI_WORDS_COMMAND,
     .call = cli_help},
    {.name = "version",
     .summary = "Print the version",
     .usage = "",
     .text = "The version of the library, and how it was built.",
     .options = OPTIONS(&json),
     .examples = WORDS("tallow version", ""),
     .words = CLI_WORDS_NONE,
     .call = cli_version},
    {.name = "generate",
     .summary = "Print a man page or a shell completion",
     .usage = "man [COMMAND|scene] | bash | zsh | fish",
     .text = "They are installed with Tallow; this is for other places. man: tallow(1), the page\n"
             "of a command, tallow-COMMAND(1), or of scene files, tallow-scene(5).",
     .options = OPTIONS(NULL),
     .examples = WORDS("tallow generate bash > ~/.local/share/bash-completion/completions/tallow",
                       "", "tallow generate man run | man -l -", "the page of a command"),
     .min_words = 1,
     .max_words = 2,
     .words = CLI_WORDS_CHOICE,
     .choices = WORDS("man", "bash", "zsh", "fish"),
     .call = cli_generate},
};

const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;
