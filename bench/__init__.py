"""What a move costs, measured: `python -m bench` beside the raw limits and, with `--peers`, beside other servers."""
