import { expect, it } from 'vitest'
import { webhooksPage } from '../../../infra/description/providers.ts'

const [page = '', lookAlikes = ''] = webhooksPage().split('<!-- generated: lookAlikes -->')

/** The last two columns of each row: by which rules calls are told apart, and the proof of the usual call. */
const judged = new Map(
  [...page.matchAll(/^\| `([a-z-]+)` \|.*\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name = '', rules, level]) => [
    name,
    [rules, level],
  ]),
)

it.each([
  ['stripe', '`signed-id`', '`full`'],
  ['github', '`id+body`', '`body`'],
  ['gitlab', '`signed-id`, else `id+body`', '`full`'],
  ['twilio', '`id+body`, else `id+body`', '`fields`'],
  ['dropbox', '`always-new`', '`body`'],
  ['sendgrid', '`per-item`', '`full`'],
  ['paypal', '`signed-id`', '`checksum`'],
])('%s: %s, proof %s', (name, rules, level) => {
  expect(judged.get(name)).toEqual([rules, level])
})

it.each([
  ['github', 'held', 'new'],
  ['razorpay', 'held', 'held'],
  [
    'shopify',
    'once each within ten minutes, if equal up to `/`; else held',
    'held; new with `…/delete` and `…/disconnect`',
  ],
])('S2 %s, under another type: %s; under another id: %s', (name, type, id) => {
  expect(lookAlikes).toContain(`| \`${name}\` | ${type} | ${id} |`)
})
