"""The command ``auditor``, also as ``python -m auditor``."""

import gc


def main() -> None:
    """Run the command line; Ctrl-C is quiet from the first import on."""
    gc.set_threshold(200_000, 10, 10)  # what is imported stays: searching it again and again takes 0.3 s
    try:
        from auditor.cli import main

        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    finally:
        gc.freeze()  # and at the end it goes with the process: no need to search it once more


if __name__ == "__main__":
    main()
