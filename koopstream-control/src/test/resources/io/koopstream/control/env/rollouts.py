"""Roll-outs of the formulas that Gymnasium documents for Pendulum-v1 and MountainCarContinuous-v0, and of the equations of Barto, Sutton
and Anderson (1983) for the cart-pole swing-up, in double precision.

Written from the formulas alone, independently of the Java classes that are compared with it. Needs nothing but Python:

    python3 rollouts.py

writes pendulum-v1.csv, mountain-car-continuous-v0.csv and cart-pole-swing-up-v1.csv beside itself. Columns: action, state after the step, reward.
The first line is the start, with action and reward 0.
"""

import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def torque(t, scale):
    """A deterministic action that swings between and beyond the bounds."""
    return 1.3 * scale * math.sin(0.37 * t) + 0.4 * scale * math.cos(1.9 * t)


def pendulum():
    g, m, length, dt = 10.0, 1.0, 1.0, 0.05
    angle, rate = 2.5, -0.6
    yield 0.0, angle, rate, 0.0
    for t in range(200):
        u = torque(t, 2.0)
        applied = max(-2.0, min(2.0, u))
        wrapped = math.fmod(angle + math.pi, 2 * math.pi)
        if wrapped < 0:
            wrapped += 2 * math.pi
        wrapped -= math.pi
        reward = -(wrapped**2 + 0.1 * rate**2 + 0.001 * applied**2)
        rate += (3 * g / (2 * length) * math.sin(angle) + 3.0 / (m * length**2) * applied) * dt
        rate = max(-8.0, min(8.0, rate))
        angle += rate * dt
        yield u, angle, rate, reward


def mountain_car():
    x, v = -0.5, 0.0
    yield 0.0, x, v, 0.0
    for t in range(400):
        # Pushing along the motion climbs out of the valley in the end; now and then something else.
        u = math.copysign(1.0, v) if t % 7 else 0.3
        v += 0.0015 * u - 0.0025 * math.cos(3 * x)
        v = max(-0.07, min(0.07, v))
        x += v
        x = max(-1.2, min(0.6, x))
        if x == -1.2 and v < 0:
            v = 0.0
        done = x >= 0.45 and v >= 0
        yield u, x, v, (100.0 if done else 0.0) - 0.1 * u * u
        if done:
            return


def cart_pole():
    # The coupled equations in their textbook form, a 2 x 2 linear system in the accelerations (pole: uniform, length 2 l, hinged):
    #   (M + m) x'' + m l cos(a) a'' = F + m l a'^2 sin(a)
    #   cos(a) x'' + (4/3) l a''     = g sin(a)
    big, small, half, g, dt = 1.0, 0.1, 0.5, 9.8, 0.02
    x, v, a, w = 0.1, -0.2, 2.8, 0.3
    yield 0.0, x, v, a, w, 0.0
    for t in range(500):
        u = torque(t, 10.0)
        force = max(-10.0, min(10.0, u))
        reward = math.cos(a) - 0.01 * x * x - 0.0001 * force * force
        a11, a12 = big + small, small * half * math.cos(a)
        a21, a22 = math.cos(a), 4.0 / 3.0 * half
        b1, b2 = force + small * half * w * w * math.sin(a), g * math.sin(a)
        det = a11 * a22 - a12 * a21
        v += dt * (b1 * a22 - a12 * b2) / det
        w += dt * (a11 * b2 - a21 * b1) / det
        x += dt * v
        a += dt * w
        done = abs(x) > 2.4
        yield u, x, v, a, w, reward - (100.0 if done else 0.0)
        if done:
            return


def write(name, rows):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as out:
        for row in rows:
            out.write(",".join(repr(value) for value in row) + "\n")


write("pendulum-v1.csv", pendulum())
write("mountain-car-continuous-v0.csv", mountain_car())
write("cart-pole-swing-up-v1.csv", cart_pole())
