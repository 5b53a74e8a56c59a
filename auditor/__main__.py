"""The command ``auditor``, also as ``python -m auditor``."""


def main() -> None:
    """Run the command line; Ctrl-C is quiet from the first import on."""
    try:
        from auditor.cli import main

        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
