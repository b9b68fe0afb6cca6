"""Hears speech from standard input (16 kHz, mono, 16 bit) with faster-whisper, and prints JSON lines as the guide describes them.

Arguments: the model, the language, the threads. Partial texts come after each second of sound, a final one at a pause.
"""

import json
import queue
import sys
import threading

import numpy
from faster_whisper import WhisperModel

RATE = 16_000
STEP = RATE
PAUSE = RATE // 2
LONGEST = 12 * RATE
LOUD = 300

path, language, threads = sys.argv[1:4]
model = WhisperModel(path, compute_type="int8", cpu_threads=int(threads))
sounds = queue.Queue()


def read():
    while True:
        data = sys.stdin.buffer.read1(RATE)
        sounds.put(data)
        if not data:
            return


def show(kind, sound, start):
    # One try: what was not understood is repeated at higher temperatures otherwise, for up to ten seconds.
    lines, _ = model.transcribe(
        sound.astype(numpy.float32) / 32768,
        language=language,
        beam_size=1,
        temperature=0,
        without_timestamps=True,
        condition_on_previous_text=False,
    )
    text = " ".join(line.text.strip() for line in lines)
    times = {"start": start / RATE, "end": (start + len(sound)) / RATE}
    print(json.dumps({"type": kind, "text": text, **times}), flush=True)


threading.Thread(target=read, daemon=True).start()
rest = b""
heard = numpy.zeros(0, numpy.int16)
start = 0
shown = 0
is_over = False
while not is_over:
    try:
        data = sounds.get(timeout=0.5)
        is_quiet = False
        while data and not sounds.empty():
            more = sounds.get()
            is_over = not more
            data += more
        is_over = is_over or not data
    except queue.Empty:
        data, is_quiet = b"", True
    rest += data
    whole = len(rest) // 2 * 2
    heard = numpy.concatenate([heard, numpy.frombuffer(rest[:whole], numpy.int16)])
    rest = rest[whole:]
    has_speech = len(heard) > 0 and numpy.abs(heard).max() > LOUD
    has_paused = len(heard) > PAUSE and numpy.abs(heard[-PAUSE:]).max() < LOUD
    if has_speech and (is_over or is_quiet or has_paused or len(heard) > LONGEST):
        show("final", heard, start)
    elif has_speech and len(heard) - shown >= STEP:
        show("partial", heard, start)
        shown = len(heard)
        continue
    elif has_speech or len(heard) < STEP:
        continue
    else:
        print(json.dumps({"type": "partial", "text": ""}), flush=True)
    start += len(heard)
    heard = numpy.zeros(0, numpy.int16)
    shown = 0
