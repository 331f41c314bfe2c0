"""What a client of openapi-generator 7.0.0 needs of the package aenum, which Debian does not have."""

import enum
import sys

no_arg = None


class _NamesItself(enum.EnumMeta):
    """The body of an enumeration may use its name, as in aenum."""

    @classmethod
    def __prepare__(metacls, name, bases, **options):
        sys._getframe(1).f_globals.setdefault(name, None)
        return super().__prepare__(name, bases, **options)


class Enum(enum.Enum, metaclass=_NamesItself):
    pass
