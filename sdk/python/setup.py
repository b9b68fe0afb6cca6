"""Refuses to build a wheel without the module that `npm run pack:python --workspace sdk` generates."""

from pathlib import Path

from setuptools import setup

if not Path(__file__).with_name("interview_room").joinpath("operations.py").exists():
    raise SystemExit("Build the wheel with: npm run pack:python --workspace sdk")
setup()
