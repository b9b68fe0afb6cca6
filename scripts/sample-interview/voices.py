"""Speaks the lines of the sample interview. Reads JSON from stdin: a list of {text, halfTone, speed, file}.

Needs pyopenjtalk-plus 0.4.1.post7 and its voice "Mei" (CC BY 3.0, see server/sample-interview/NOTICE.md).
"""

import json
import sys
import wave

import numpy
import pyopenjtalk

for line in json.load(sys.stdin):
    sound, rate = pyopenjtalk.tts(line["text"], speed=line["speed"], half_tone=line["halfTone"])
    with wave.open(line["file"], "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(numpy.clip(sound, -32768, 32767).astype("<i2").tobytes())
