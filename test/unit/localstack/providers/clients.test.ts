import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openClients } from '../../../../localstack/providers/clients.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const { path: folder, remove } = temporaryFolder()
afterAll(remove)
const FILE = join(folder, 'clients.json')

function read(text: string) {
  writeFileSync(FILE, text)
  return openClients(FILE)
}

function problemsOf(text: string): unknown {
  try {
    read(text)
  } catch (error) {
    return Object(error).problems
  }
  return 'none'
}

const CALLBACK = 'http://127.0.0.1:8765/callback'
const SHOP = { client_id: 'shop', client_secret: 'a secret', redirect_uris: [CALLBACK] }
const PAGE = { client_id: 'page', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }

describe('set-37 clients.json', () => {
  it('has clients with the names and defaults of RFC 7591', () => {
    const job = { client_id: 'job', client_secret: 'a secret', grant_types: ['client_credentials'] }
    const signed = { id_token_signed_response_alg: 'RS256' }
    const basic = { token_endpoint_auth_method: 'client_secret_basic' }
    expect(read(JSON.stringify([SHOP, PAGE, job]))).toEqual([
      { ...SHOP, ...basic, ...signed, grant_types: ['authorization_code'], response_types: ['code'] },
      { ...PAGE, ...signed, grant_types: ['authorization_code'], response_types: ['code'] },
      { ...job, ...basic, ...signed, redirect_uris: [], response_types: [] },
    ])
  })

  it.each<[string, unknown, readonly string[]]>([
    ['no list', {}, ['must be a list of clients']],
    ['a wrong member', [{ ...SHOP, redirect_uri: CALLBACK }], ['0: has unknown fields: "redirect_uri"']],
    [
      'several wrong values, all named',
      [{ ...SHOP, client_id: 'a b', grant_types: ['password'], redirect_uris: ['shop', `${CALLBACK}#a`] }, PAGE, PAGE],
      [
        '0.client_id: must be 1 to 64 letters, digits, dots, hyphens or underscores',
        '0.redirect_uris.0: must be an http or https address without #',
        '0.redirect_uris.1: must be an http or https address without #',
        '0.grant_types.0: must be one of authorization_code, refresh_token, client_credentials, urn:ietf:params:oauth:grant-type:device_code',
        '2.client_id: page is there twice',
      ],
    ],
    [
      "Gatehouse's own id",
      [{ ...SHOP, client_id: 'gatehouse-local' }],
      ['0.client_id: gatehouse-local is the client of Gatehouse itself'],
    ],
    [
      'no secret',
      [{ ...SHOP, client_secret: undefined }],
      ['0.client_secret: must be there, or token_endpoint_auth_method be none'],
    ],
    [
      'a public client with a secret and its grant',
      [{ ...PAGE, client_secret: 'a secret', grant_types: ['client_credentials'] }],
      [
        '0.client_secret: must not be there with token_endpoint_auth_method none',
        '0.grant_types: cannot have client_credentials without a secret',
      ],
    ],
    [
      'no address to return to',
      [{ ...PAGE, redirect_uris: [] }],
      ['0.redirect_uris: must be there for authorization_code'],
    ],
  ])('names what is wrong: %s', (_, list, problems) => {
    expect(problemsOf(JSON.stringify(list))).toEqual(problems)
  })

  it('does not quote a file that is no JSON, and names one that is not there', () => {
    expect(problemsOf('[{"client_secret": "abc"')).toEqual(['is no JSON'])
    expect(() => openClients(join(folder, 'other.json'))).toThrow('cannot be read')
  })
})
