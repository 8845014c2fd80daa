#!/usr/bin/env python3
"""Made-up streams of the kinds that the Numenta Anomaly Benchmark has, with labelled windows of a tenth of the rows in all.

    python3 labelled_streams.py FOLDER SEED...

writes nine CSV files per seed and labels.json into the folder; then

    lab/run alarms FOLDER/labels.json FOLDER

grades alarms on them (lab/records/accuracy.md). Standard library only.
"""
import datetime
import json
import math
import pathlib
import random
import sys

MINUTES = datetime.timedelta(minutes=1)
START = datetime.datetime(2014, 3, 1)


class Streams:
    """The streams of one seed; a window lies around each of the given rows."""

    def __init__(self, folder, seed, labels):
        self.folder, self.seed, self.labels = folder, seed, labels
        self.random = random.Random(seed)

    def write(self, kind, minutes, values, centres):
        name = f"{kind}{self.seed}.csv"
        at = lambda row: str(START + row * minutes * MINUTES)
        with open(self.folder / name, "w", encoding="utf-8") as out:
            out.write("timestamp,value\n")
            out.writelines(f"{at(i)},{value:.5g}\n" for i, value in enumerate(values))
        half = max(40, len(values) // 10 // max(1, len(centres))) // 2
        ends = [(max(0, c - half), min(len(values) - 1, c + half)) for c in centres]
        self.labels[name] = [[at(row) + ".000000" for row in pair] for pair in ends]

    def all(self):
        r, gauss = self.random, self.random.gauss
        rows = 4032

        # A server's CPU: a higher level for five hours, and a burst, between usual spikes.
        a, b, x, values = r.randint(1600, 2200), r.randint(3000, 3700), 0.0, []
        for i in range(rows):
            x = 0.7 * x + gauss(0, 1)
            spike = 25 * r.random() if r.random() < 0.01 else 0
            values.append(min(100, max(0, 40 + 3 * x + spike + 18 * (a <= i < a + 60) + 70 * (b <= i < b + 4))))
        self.write("cpu", 5, values, [a, b])

        # Requests with a daily cycle: a peak that is missing, and nearly twice the load for three hours.
        a, b, values = r.randint(7, 8) * 288 + 100 + r.randint(0, 60), r.randint(11, 12) * 288 + r.randint(0, 250), []
        for i in range(rows):
            day = max(0, math.sin(2 * math.pi * (i % 288) / 288 - 1.5))
            rate = (60 + (100 if a <= i < a + 70 else 400) * day) * (1.8 if b <= i < b + 36 else 1)
            values.append(max(0, rate + 1.5 * math.sqrt(rate) * gauss(0, 1)))
        self.write("requests", 5, values, [a, b])

        # A machine's temperature that wanders: a break that heals, and a decline.
        a, b, x, y, values = r.randint(1500, 2200), r.randint(3000, 3700), 0.0, 0.0, []
        for i in range(rows):
            x, y = 0.999 * x + gauss(0, 0.25), 0.8 * y + gauss(0, 0.5)
            broken = 25 * math.exp(-(i - a) / 40) if a <= i < a + 100 else 0
            values.append(85 + x + y - broken - (0.5 * (i - b) if b <= i < b + 80 else 0))
        self.write("temperature", 5, values, [a, b + 20])

        # Half-hourly rides with days and weeks: a holiday, and an evening with a third more.
        a, b, values = r.randint(25, 40) * 48 + 20, r.randint(50, 65) * 48 + 20, []
        for i in range(48 * 70):
            hour = 2 * math.pi * (i % 48) / 48
            rides = (15000 + 9000 * math.sin(hour - 2) + 3000 * math.sin(2 * hour)) * (0.85 if i // 48 % 7 > 4 else 1)
            values.append(rides * (0.6 if a <= i < a + 30 else 1.35 if b <= i < b + 16 else 1) + gauss(0, 600))
        self.write("rides", 30, values, [a, b])

        # Hourly clicks with small bursts: a large one, and a day without any.
        a, b, values = r.randint(500, 800), r.randint(1100, 1500), []
        for i in range(1700):
            clicks = 0.08 + 0.02 * math.sin(2 * math.pi * i / 24) + abs(gauss(0, 0.015))
            clicks += (0.1 * r.random() if r.random() < 0.02 else 0) + 0.35 * (a <= i < a + 6)
            values.append(0.005 * r.random() if b <= i < b + 20 else clicks)
        self.write("clicks", 60, values, [a, b])

        # The speed of traffic with rush hours: two jams.
        a, b, x, values = r.randint(900, 1300), r.randint(1700, 2200), 0.0, []
        for i in range(2500):
            x, d = 0.6 * x + gauss(0, 1.5), i % 288
            rush = 20 * math.exp(-(((d - 100) / 14) ** 2)) + 25 * math.exp(-(((d - 215) / 16) ** 2))
            values.append(max(3, 72 - rush + x - 35 * (a <= i < a + 25) - 45 * (b <= i < b + 10)))
        self.write("speed", 5, values, [a, b])

        # A flat line of two values: a jump, and a higher level for half a day.
        a, b = r.randint(1500, 2400), r.randint(3000, 3700)
        values = [0.066 + 0.002 * (r.random() < 0.1) + 0.3 * (a <= i < a + 8) + 0.07 * (b <= i < b + 150) for i in range(rows)]
        self.write("flat", 5, values, [a, b])

        # Spikes that become more and more.
        a, values = r.randint(2300, 2900), []
        for i in range(rows):
            often = 0.01 if i < a else min(0.3, 0.01 + 0.002 * (i - a))
            values.append(20 + gauss(0, 1) + (30 + gauss(0, 4) if r.random() < often else 0))
        self.write("spikes", 5, values, [a + 150])

        # Nothing to find: a value that wanders, now and then with more noise.
        x, values = 0.0, []
        for _ in range(rows):
            x = 0.98 * x + gauss(0, 1)
            values.append(50 + x + (3 * gauss(0, 1) if r.random() < 0.05 else 0))
        self.write("nothing", 5, values, [])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, labels = pathlib.Path(sys.argv[1]), {}
    folder.mkdir(parents=True, exist_ok=True)
    for seed in sys.argv[2:]:
        Streams(folder, int(seed), labels).all()
    (folder / "labels.json").write_text(json.dumps(labels, indent=1), encoding="utf-8")


main()
