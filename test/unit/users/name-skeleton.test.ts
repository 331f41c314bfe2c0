import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameSkeleton } from '../../../lib/users/name-skeleton.ts'
import demoUsers from '../../../localstack/demo-users.json' with { type: 'json' }

describe('B16 a name is similar to another', () => {
  it.each([
    ['a Hangul filler after it', 'admin\u3164', 'admin'],
    ['a Hangul filler within', 'adm\u115fin', 'admin'],
    ['a variation selector', 'admin\ufe0f', 'admin'],
    ['a grapheme joiner', 'admin\u034f', 'admin'],
    ['a Cyrillic letter', '\u0430dmin', 'admin'],
    ['a Cyrillic capital', '\u0410DMIN', 'admin'],
    ['a capital I with a dot', 'ADM\u0130N', 'admin'],
    ['an i without a dot', 'adm\u0131n', 'admin'],
    ['an i with its dot as a mark', 'adm\u0131\u0307n', 'admin'],
    ['bold letters', '𝐚𝐝𝐦𝐢𝐧', 'admin'],
    ['full width', 'ａｄｍｉｎ', 'admin'],
    ['a long s, which resembles an f', '\u017fred', 'fred'],
    ['a digit instead of a letter', 'adm1n', 'admin'],
    ['r and n instead of m', 'adrnin', 'admin'],
    ['a capital i instead of an l', 'Iarry', 'larry'],
    ['a zero instead of an o', 'b0b', 'bob'],
    ['a Greek letter', 'b\u03bfb', 'bob'],
    ['a capital Cyrillic B', '\u0412ob', 'Bob'],
    ['another case', 'BOB', 'bob'],
    ['another normalization form', 'zoe\u0308', 'zo\u00eb'],
    ['a Kelvin sign', '\u212aarl', 'Karl'],
    ['an Arabic-Indic digit', 'user-\u0661', 'user-1'],
  ])('with %s', (_, name, other) => {
    expect(nameSkeleton(name)).toBe(nameSkeleton(other))
  })

  it.each([
    ['bob', 'rob'],
    ['zoe', 'zo\u00eb'],
    ['user-2', 'user-3'],
    ['anna', 'ana'],
    ['a.b', 'ab'],
    ['\u0432ob', 'bob'],
    ['', 'a'],
  ])('but not %j to %j', (name, other) => {
    expect(nameSkeleton(name)).not.toBe(nameSkeleton(other))
  })

  it('but no demo user to another', () => {
    expect(new Set(demoUsers.map(({ username }) => nameSkeleton(username))).size).toBe(demoUsers.length)
  })

  it('and no ASCII name without 0, 1, i, l, m, o, r and n to another', () => {
    const apart = fc.string({ unit: fc.constantFrom(...'23456789abcdefghjkpqstuvwxyz._-@+') })
    fc.assert(
      fc.property(apart, (name) => {
        expect(nameSkeleton(name)).toBe(name)
      }),
    )
  })
})
