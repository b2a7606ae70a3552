"""AI drivers for GT Circuit, the weakest first."""

from __future__ import annotations

from engine.gt.drivers.ace import Ace
from engine.gt.drivers.base import BaseDriver
from engine.gt.drivers.racer import Racer

DRIVERS: dict[str, BaseDriver] = {
    driver.name: driver for driver in (Racer("careful", 0.12, 0.0), Racer("racer", 0.25, 0.06), Ace())
}
