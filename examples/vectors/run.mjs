// Judges the vectors beside it by the schemes in their file alone: Node 24, no packages. Exits with 1 if a verdict is wrong.
import { Buffer } from 'node:buffer'
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import process, { stdout } from 'node:process'
import { crc32 } from 'node:zlib'

const jsonIn = (bytes) => JSON.parse(bytes.toString())
const asText = (value) => (value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value))

function textsAt(values, [name, ...rest]) {
  if (name === undefined) return [asText(values)]
  return (name === '*' ? values : [Object(values)[name]]).flatMap((one) => textsAt(one, rest))
}

const SOURCES = {
  header: ({ headers }, path) =>
    Object.keys(headers).flatMap((one) => (RegExp(`^${path}$`).test(one) ? headers[one] : [])),
  query: ({ url }, path) => new URL(url).searchParams.getAll(path),
  json: ({ body }, path) => textsAt(jsonIn(body), path.split('.')),
  part: (_, path, found) =>
    textsAt(jsonIn(Buffer.from(found[path.split('.')[0]], 'base64url')), path.split('.').slice(1)),
  body: ({ body }) => [body.toString('latin1')],
}

function find([source, pattern], call, found) {
  const [, kind, path] = /^(\w+):?(.*)$/.exec(source)
  const texts = SOURCES[kind](call, path, found)
  return (texts.length > 0 ? texts : ['']).flatMap((text) =>
    [...text.matchAll(RegExp(pattern, 'gs'))].map((one) => one[1]),
  )
}

function isSigned({ method, key: form, encoding }, key, signed, text) {
  const signature = Buffer.from(text, encoding)
  const [kind, hash = null, of] = method.split('-')
  if (kind === 'equal') return signature.equals(Buffer.from(key))
  if (kind === 'hmac') return createHmac(hash, Buffer.from(key, form)).update(signed).digest().equals(signature)
  const lead = Buffer.from(kind === 'ed25519' ? '302a300506032b6570032100' : '', 'hex') // RFC 8410, section 4
  const der = () => ({ key: Buffer.concat([lead, Buffer.from(key, form)]), format: 'der', type: 'spki' })
  const publicKey = form === 'pem' ? key : form === 'jwk' ? { key: jsonIn(key), format: 'jwk' } : der()
  const options = { key: createPublicKey(publicKey), dsaEncoding: of === 'p1363' ? 'ieee-p1363' : 'der' }
  return verify(hash, signed, options, signature)
}

function isTimely({ unit }, { time, from = time, until = time }, { now, toleranceSeconds }) {
  const second = (text) => Math.floor(unit === 'iso' ? Date.parse(text) / 1000 : text / (unit === 'ms' ? 1000 : 1))
  return (
    !unit ||
    toleranceSeconds === null ||
    (now - second(until) <= toleranceSeconds && second(from) - now <= toleranceSeconds)
  )
}

function foundIn(variant, call) {
  const found = {}
  for (const [name, place] of Object.entries(variant.find)) {
    const [text, ...more] = find(place, call, found)
    if (text === undefined || (more.length > 0 && name !== 'signature')) throw new Error(`${name} is not there once`)
    found[name] = name === 'signature' ? [text, ...more] : text
  }
  return found
}

function isProven(variant, vector, secret) {
  const call = { ...vector, body: Buffer.from(vector.bodyBase64, 'base64') }
  const found = foundIn(variant, call)
  const [, keyName, key = keyName] = RegExp(variant.secret ?? '^(.+)$', 's').exec(secret)
  const own = {
    ...{
      ...call,
      keyName,
      crc32: String(crc32(call.body)),
      sha256: createHash('sha256').update(call.body).digest('hex'),
    },
    form: [...new Set([...new URLSearchParams(call.body.toString())].map((field) => field.join('')))].sort().join(''),
    unescapedUrl: call.url.replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi, decodeURIComponent),
  }
  const pieces = (template) =>
    template.split(/\{([\w.]+)\}/).map((part, at) => (at % 2 ? (found[part] ?? own[part]) : part))
  const fill = (template = '') => Buffer.concat(pieces(template).map((piece) => Buffer.from(piece)))
  const isSame = ([one, other]) => fill(one).equals(fill(other))
  const holds = (text) => isSigned(variant, key, fill(variant.signed), text)
  const isHeld = found.signature[variant.every ? 'every' : 'some'](holds)
  return isHeld && (variant.same ?? []).every(isSame) && isTimely(variant, found, vector)
}

function isValid(vector, { variants }) {
  const pairs = variants.flatMap((variant) => vector.secrets.map((secret) => [variant, secret]))
  return pairs.some(([variant, secret]) => {
    try {
      return isProven(variant, vector, secret)
    } catch {
      return false // what cannot be read proves nothing
    }
  })
}

const file = process.argv[2] ?? new URL('vectors.json', import.meta.url)
const { schemes, vectors } = JSON.parse(readFileSync(file, 'utf8'))
const wrong = vectors.filter((vector) => isValid(vector, schemes[vector.scheme]) !== vector.valid)
for (const { id, valid, reason } of wrong) stdout.write(`${id}: judged ${valid ? 'invalid' : 'valid'} (${reason})\n`)
const providers = new Set(vectors.map(({ scheme }) => scheme))
stdout.write(`${vectors.length} vectors of ${providers.size} providers, ${wrong.length} wrong verdicts\n`)
process.exitCode = wrong.length > 0 ? 1 : 0
