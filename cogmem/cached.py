"""Functions that keep their answers, as functools has them: with `collections` behind it that module takes longer to
load than a turn may."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from functools import cache as cache
    from functools import cached_property as cached_property
    from functools import lru_cache as lru_cache
else:
    try:
        from _functools import _lru_cache_wrapper
    except ImportError:  # a Python that is not written in C
        from functools import cache, cached_property, lru_cache
    else:

        def lru_cache(maxsize):
            """Keep so many answers; None: all of them."""

            def keeping(function):
                kept = _lru_cache_wrapper(function, maxsize, False, _counts)
                kept.__wrapped__, kept.__doc__ = function, function.__doc__
                kept.__name__, kept.__module__ = function.__name__, function.__module__
                return kept

            return keeping

        def _counts(*numbers):
            return numbers  # hits, misses, most, and how many are kept

        cache = lru_cache(None)

        class cached_property:
            """Read once for each object."""

            def __init__(self, read):
                self.read, self.name, self.__doc__ = read, read.__name__, read.__doc__

            def __get__(self, one, kind=None):
                if one is None:
                    return self
                found = one.__dict__[self.name] = self.read(one)
                return found
