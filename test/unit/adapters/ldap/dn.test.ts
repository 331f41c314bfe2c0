import { describe, expect, it } from 'vitest'
import { dnKey } from '../../../../lib/adapters/ldap/dn.ts'

it.each([
  ['case differs', 'uid=Ada,ou=People,dc=org', 'UID=ada,OU=people,DC=ORG'],
  ['spaces surround separators', 'uid=ada,ou=people', ' uid = ada ,  ou =people '],
  ['a value has more spaces within', 'cn=ada  lovelace', 'cn=Ada Lovelace'],
  ['a character is escaped by itself or as a byte', 'cn=o\\,dd,dc=org', 'cn=o\\2Cdd,dc=org'],
  ['a letter beyond ASCII is written as its bytes', 'cn=jürgen,dc=org', 'cn=j\\C3\\BCrgen,dc=org'],
  ['a letter is composed of two', 'cn=j\u00fcrgen', 'cn=ju\u0308rgen'],
  ['a value is quoted', 'cn="o,dd",dc=org', 'cn=o\\,dd,dc=org'],
  ['elements are separated as in RFC 2253', 'cn=a;dc=org', 'cn=a,dc=org'],
  ['the parts of an element change places', 'cn=a+uid=b,dc=org', 'uid=b + cn=a,dc=org'],
  ['an escaped space is at the end', 'cn=a\\ ,dc=org', 'cn=a\\20,dc=org'],
])('two spellings of a distinguished name are the same when %s', (_case, one, other) => {
  expect(dnKey(other)).toBe(dnKey(one))
})

describe('two distinguished names are different when', () => {
  it.each([
    ['elements change places', 'ou=a,ou=b', 'ou=b,ou=a'],
    ['a separator is part of the value', 'cn=a\\,dc=b', 'cn=a,dc=b'],
    ['a plus is part of the value', 'cn=a\\+uid=b', 'cn=a+uid=b'],
    ['quotes are part of the value', 'cn=\\"a\\"', 'cn=a'],
    ['an equals sign is part of the value', 'cn=a=b', 'cn=a'],
  ])('%s', (_case, one, other) => {
    expect(dnKey(other)).not.toBe(dnKey(one))
  })

  it('the key of an entry ends with the key of its parent', () => {
    expect(dnKey('uid=ada,ou=people,dc=org').endsWith(`,${dnKey('OU=People, dc=org')}`)).toBe(true)
    expect(dnKey('uid=ada,ou=more people,dc=org').endsWith(`,${dnKey('ou=people,dc=org')}`)).toBe(false)
    expect(dnKey('uid=a\\,ou=people,dc=org').endsWith(`,${dnKey('ou=people,dc=org')}`)).toBe(false)
  })
})
