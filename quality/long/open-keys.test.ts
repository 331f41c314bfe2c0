// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code stands here as text
import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openKeys } from '../../test/support/open-keys.ts'

/** No caller says which name is looked for: it stands in our code, or in what our code was started with. */
const OURS = 'the name is ours'

/** The texts that get there are none of the names that every object has. */
const SHAPE = 'no inherited name has that shape'

const OWN = 'the name is one of the object’s own'

/** The reader of configurations refuses headers with an inherited name. */
const CONFIGURED = 'the configuration names no inherited name'

/** Each look-up by a name of any text that was judged, with the reason why `constructor` or `__proto__` finds nothing there. */
const JUDGED: Readonly<Record<string, string>> = {
  'lib/adapters/dynamodb/counter-store.ts: responses?.[table]': OURS,
  'lib/adapters/dynamodb/counter-store.ts: unprocessed?.[table]': OURS,
  'lib/adapters/dynamodb/due-deliveries.ts: found.Responses?.[table]': OURS,
  'lib/adapters/dynamodb/rows-at.ts: found?.[table]': OURS,
  'lib/adapters/dynamodb/rows-at.ts: item[key]': OURS,
  'lib/adapters/dynamodb/changed-rows.ts: item[key]': OURS,
  'lib/adapters/dynamodb/replay-list.ts: found?.[table]': OURS,
  'lib/adapters/dynamodb/sharded-index.ts: last[order]': OURS,
  'lib/adapters/dynamodb/stored-body.ts: found?.[table]': OURS,
  'lib/adapters/ldap/directory.ts: entry[name]': OWN,
  'lib/adapters/oidc/recorded-fetch.ts: steps[`${url.origin}${url.pathname}`]': SHAPE,
  'lib/adapters/aws/signature.ts: all[name]': OWN,
  'lib/adapters/oidc/refusing-check.ts: membersOf(claims)[String(claim)]': 'the claim is one of six names',
  'lib/auth/oauth2/providers.ts: attributes[name]': OURS,
  'lib/auth/oauth2/providers.ts: attributes[provider.subject]': OURS,
  'lib/auth/permissions.ts: table[role]?.[on]': OURS,
  'lib/grpc/request.ts: fields[row.field]': 'the name is that of a field of a message, which protobuf has read',
  'lib/grpc/serve.ts: handlers[localName]': OURS,
  'lib/http/endpoint.ts: headers[name]': OWN,
  'lib/http/form.ts: formFieldsOf(event)[name]': OURS,
  'lib/http/rejected-value.ts: Reflect.get(value, name)': 'Object.hasOwn was asked',
  'lib/http/pages/admission.ts: UNASKED[String(route.access)]': OURS,
  'lib/http/pages/html.ts: ESCAPES[character]': SHAPE,
  'lib/http/pages/login-notices.ts: query[parameter]': OURS,
  'lib/http/pages/page.ts: scripts[name]': OURS,
  'lib/http/sent-path.ts: pathParameters?.[name]': OURS,
  'lib/http/signed-body.ts: headers[name]': OURS,
  'lib/runtime/config.ts: environment[name]': OURS,
  'lib/runtime/json-shape.ts: STEPS[character]': SHAPE,
  'lib/runtime/secret-text.ts: given[name]': OURS,
  'lib/stomp/codec/escapes.ts: table[character]': SHAPE,
  'lib/stomp/codec/escapes.ts: table[sequence]': SHAPE,
  'lib/runtime/settings/named-secrets.ts: given[own.sameAs]': 'Object.hasOwn was asked',
  'lib/trail/list.ts: members[name]': OURS,
  'lib/webhooks/configured/hmac.ts: call.headers[header]': CONFIGURED,
  'lib/webhooks/configured/hmac.ts: call.headers[idHeader]': CONFIGURED,
  'lib/webhooks/configured/hmac.ts: headers[time.header.toLowerCase()]': CONFIGURED,
  'lib/webhooks/configured/schema.ts: given[name]': OURS,
  'lib/webhooks/configured/source.ts: headers[proof.header.toLowerCase()]': CONFIGURED,
  'lib/webhooks/configured/template.ts: call.headers[piece.header]': CONFIGURED,
  'lib/webhooks/explain/explain.ts: Reflect.get(target, name)': 'the scheme asks, for a header that its row names',
  'lib/webhooks/explain/explain.ts: call.headers[name]': 'the scheme has asked for it',
  'lib/webhooks/schemes/scheme.ts: headers[header]': OURS,
  'lib/webhooks/pick.ts: Reflect.get(value, name)': 'isOpen has asked Object.hasOwn',
  'lib/webhooks/providers/hubspot.ts: UNESCAPED[escaped.toUpperCase()]': SHAPE,
  'lib/webhooks/schemes/body-mac.ts: headers[header]': OURS,
  'lib/webhooks/schemes/standard.ts: headers[header]': OURS,
  'lib/webhooks/schemes/standard.ts: headers[idHeader]': OURS,
  'lib/webhooks/schemes/standard.ts: headers[timeHeader]': OURS,
  'lib/webhooks/schemes/time-and-body.ts: headers[header]': OURS,
  'lib/webhooks/schemes/time-and-body.ts: headers[timeHeader]': OURS,
  'lib/webhooks/schemes/timestamped.ts: headers[header]': OURS,
  'lib/webhooks/schemes/versioned.ts: headers[header]': OURS,
  'lib/webhooks/schemes/versioned.ts: headers[timeHeader]': OURS,
  'lib/webhooks/find.ts: headers[name]': OURS,
  'lib/adapters/dynamodb/batch-items.ts: rows?.[table]': OURS,
}

const SAMPLE = 'test/support/open-keys.sample.ts'

const found = openKeys([...globSync('{lib,functions,infra/adapter}/**/*.ts'), SAMPLE])

it('no caller reaches an inherited name: each look-up by any text is safe or was reviewed', () => {
  const ours = found.filter(({ file }) => file !== SAMPLE).map(({ file, code }) => `${file}: ${code}`)
  expect([...new Set(ours)].sort()).toEqual(Object.keys(JUDGED).sort())
})

it('a look-up without a review would be found', () => {
  expect(found.filter(({ file }) => file === SAMPLE).map(({ code }) => code)).toEqual([
    'table[name]',
    'name in table',
    'Reflect.get(table, name)',
    'table[`:${name}`]',
  ])
})
