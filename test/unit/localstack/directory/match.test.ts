import ldapjs from 'ldapjs'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../localstack/directory/ldif.ts'
import { type LdapFilter, matches, selectionOf, storedPasswords } from '../../../../localstack/directory/match.ts'

const ENTRY: Entry = {
  dn: 'uid=Ada,dc=org',
  attributes: {
    uid: ['Ada'],
    cn: ['Ada  Lovelace', 'jürgen (x)'],
    member: ['uid=Bob,dc=org'],
    userPassword: ['secret'],
  },
}

/** As ldapjs hands it over. */
const filterOf = (text: string) => ldapjs.parseFilter(text) as unknown as LdapFilter

describe('an entry is found by', () => {
  it.each([
    '(UID=ada)',
    '(cn=ada lovelace)',
    '(cn=j\\c3\\bcrgen \\28x\\29)',
    '(cn=ADA*lace)',
    '(uid=*)',
    '(uid~=ADA)',
    '(member=UID=bob, DC=Org)',
    '(&(uid=ada)(cn=*))',
    '(|(uid=bob)(uid=ada))',
    '(!(uid=bob))',
  ])('%s', (filter) => {
    expect(matches(filterOf(filter), ENTRY)).toBe(true)
  })
})

describe('an entry is not found by', () => {
  it.each([
    '(uid=\\2a)',
    '(uid=ad)',
    '(cn=*.*love)',
    '(member=uid=bobby,dc=org)',
    '(userPassword=secret)',
    '(&(uid=ada)(uid=bob))',
    '(!(uid=ada))',
    '(uid>=a)',
  ])('%s', (filter) => {
    expect(matches(filterOf(filter), ENTRY)).toBe(false)
  })
})

describe('the attributes of an entry in an answer', () => {
  it.each([
    [[], ['uid', 'cn', 'member']],
    [['UID'], ['uid']],
    [['userPassword'], []],
    [['1.1'], []],
  ])('are those that a search requests, but never a password: %j', (wanted, told) => {
    expect(Object.keys(selectionOf(ENTRY, wanted))).toEqual(told)
    expect(storedPasswords(ENTRY)).toEqual(['secret'])
  })
})
