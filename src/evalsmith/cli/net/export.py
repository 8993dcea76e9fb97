"""``evalsmith net export``: a net for programs without PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import evalsmith as es


def export(
    net: Annotated[Path, typer.Argument(metavar="FILE", help="The net, .safetensors.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write, .onnx.")],
) -> None:
    """Export a net to ONNX, for programs without PyTorch. As a player it is net:FILE.onnx."""
    typer.echo(f"written: {es.export_net(net, output)}")
