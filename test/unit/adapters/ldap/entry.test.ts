import { expect, it } from 'vitest'
import { changeOf, idOf, idValues } from '../../../../lib/adapters/ldap/entry.ts'

/** What Samba keeps of a user to whom its tools give the id 91a4ff33-0aea-41ac-b385-da3f50a70b0f. */
const GUID = Buffer.from('M/+kkeoKrEGzhdo/UKcLDw==', 'base64')

it.each([
  ['objectGUID', GUID, '91a4ff33-0aea-41ac-b385-da3f50a70b0f'],
  ['objectguid', Buffer.from('a-text-of-its-own'), 'a-text-of-its-own'],
  ['objectSid', Buffer.from('0105000000ff', 'hex'), '0105000000ff'],
  ['entryUUID', '5f9c3a52-5d1c-4a4e-9d9e-0d2b1f3c7a11', '5f9c3a52-5d1c-4a4e-9d9e-0d2b1f3c7a11'],
  ['ipaUniqueID', 'wëird/1', 'wëird/1'],
])('the id of an entry is a text that leads back to it: %s', (attribute, value, id) => {
  expect(idOf({ dn: 'cn=a', [attribute]: value }, attribute)).toBe(id)
  expect(idValues(id, attribute).map((each) => Buffer.from(each))).toContainEqual(Buffer.from(value))
})

it.each([undefined, '', []])('an entry without a value has no id: %j', (value) => {
  expect(idOf({ dn: 'cn=a', ...(value !== undefined && { entryUUID: value }) }, 'entryUUID')).toBeUndefined()
})

it.each([
  ['the one of Active Directory', { pwdLastSet: '134404791716043060' }, '2026-11-30T02:26:11.604Z'],
  [
    'a known time before that of the entry',
    { modifytimestamp: '20261201000000Z', pwdChangedTime: '20261130000000Z' },
    '2026-11-30T00:00:00.000Z',
  ],
  [
    'that of the entry where the password has to be changed',
    { pwdLastSet: '0', modifyTimestamp: '20261130000000Z' },
    '2026-11-30T00:00:00.000Z',
  ],
  ['none', {}, undefined],
])('the time of the last change is %s', (_, attributes, time) => {
  expect(changeOf({ dn: 'cn=a', ...attributes })?.toISOString()).toBe(time)
})
