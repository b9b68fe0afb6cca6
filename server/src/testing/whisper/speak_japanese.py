"""Says standard input in Japanese, line by line, into a WAV file."""

import sys
import wave

import numpy
import pyopenjtalk

sounds = []
for line in sys.stdin.read().splitlines():
    sound, rate = pyopenjtalk.tts(line)
    sounds += [sound, numpy.zeros(int(rate * 0.8))]
with wave.open(sys.argv[1], "wb") as out:
    out.setnchannels(1)
    out.setsampwidth(2)
    out.setframerate(rate)
    out.writeframes(numpy.concatenate(sounds).astype(numpy.int16).tobytes())
