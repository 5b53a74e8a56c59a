"""The command ``auditor``, also as ``python -m auditor``."""

import gc
import os

INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C is quiet from the first import on."""
    gc.set_threshold(200_000, 10, 10)  # what is imported stays: searching it again and again takes 0.3 s
    try:
        from auditor.cli import main

        main()
    except (KeyboardInterrupt, SystemExit) as end:
        if isinstance(end, SystemExit) and end.code != INTERRUPTED:
            raise
        try:
            print(end="", flush=True)
        finally:
            os._exit(INTERRUPTED)  # else Python would wait for threads that compile, or wait for input
    finally:
        gc.freeze()  # and at the end it goes with the process: no need to search it once more


if __name__ == "__main__":
    main()
