/* The parts of `tallow sweep`: what runs there are, the processes that make them, and what is told
 * of all together. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "command.h"

#include "run/folder.h"
#include "run/result.h"

/* A key with the values that it takes. */
typedef struct cli_sweep_key {
    char *key, **values;
    size_t count;
} cli_sweep_key;

typedef struct cli_sweep_run {
    char folder[TL_RUN_PATH]; /* OUTPUT/NAME */
    const char *name;         /* in it: "spacing=1cm_flow.cfl=0.2" */
    char **arguments;         /* of `tallow run`, NULL-terminated: program, run, SCENE, ... */
    const char **values;      /* one a key */
} cli_sweep_run;

typedef struct cli_sweep {
    const char *scene;
    char folder[TL_RUN_PATH - 256];
    cli_sweep_key *keys;
    size_t key_count;
    cli_sweep_run *runs;
    size_t run_count;
    int64_t jobs, threads; /* runs at a time, threads of each; 0: as many as there are for it */
    bool quiet;
} cli_sweep;

/* How far the run in a folder is; a run that stopped at the frame it was to is done. */
tl_run_state cli_sweep_state(const cli_sweep_run *run, tl_run_result *result);
bool cli_sweep_is_done(const cli_sweep_run *run);

/* Starts or goes on with what is not done, `jobs` at a time. *interrupted: somebody asked to stop,
 * and the runs have. sweep_jobs.c */
int cli_sweep_make(const cli_sweep *sweep, bool *interrupted);

/* An array job for Slurm on standard output. sweep_jobs.c */
void cli_sweep_print_slurm(const cli_sweep *sweep);

/* sweep.csv, plots and sheet.png of what is there. sweep_report.c */
int cli_sweep_report(const cli_sweep *sweep);

#endif
