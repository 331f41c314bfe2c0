import ldapjs from 'ldapjs'
import { expect, it } from 'vitest'
import {
  type LdapFilter,
  matches,
  selectionOf,
  storedPasswords,
} from '../../../../../localstack/stack/directory/embedded.ts'
import type { Entry } from '../../../../../localstack/stack/directory/entries.ts'

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
])('an entry is found by %s', (filter) => {
  expect(matches(filterOf(filter), ENTRY)).toBe(true)
})

it.each([
  '(uid=\\2a)',
  '(uid=ad)',
  '(cn=*.*love)',
  '(member=uid=bobby,dc=org)',
  '(userPassword=secret)',
  '(&(uid=ada)(uid=bob))',
  '(!(uid=ada))',
  '(uid>=a)',
])('an entry is not found by %s', (filter) => {
  expect(matches(filterOf(filter), ENTRY)).toBe(false)
})

it.each([
  [[], ['uid', 'cn', 'member']],
  [['UID'], ['uid']],
  [['userPassword'], []],
  [['1.1'], []],
])(
  'the attributes of an entry in an answer are those that a search requests, but never a password: %j',
  (wanted, told) => {
    expect(Object.keys(selectionOf(ENTRY, wanted))).toEqual(told)
    expect(storedPasswords(ENTRY)).toEqual(['secret'])
  },
)
