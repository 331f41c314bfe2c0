import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a ceremony does otherwise than it should. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isUnverified?: boolean
  readonly signCount?: number
  readonly type?: string
  readonly userHandle?: string
}

interface Creation {
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly challenge: string
}

interface Request {
  readonly rpId: string
  readonly challenge: string
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }

/** An authenticator with one passkey (ES256), and the browser around it. */
export class Authenticator {
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(32).toString('base64url')
  readonly #origin: string
  #userHandle = ''
  signCount = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  create({ rp, user, challenge }: Creation, deviation: Deviation = {}) {
    this.#userHandle = user.id
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' })
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053 section 7.1.1)
    const coseKey = [hex('a5010203262001215820'), bytes(x), hex('225820'), bytes(y)]
    const id = bytes(this.id)
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, ...coseKey])
    const data = this.#data(rp.id, attested, deviation)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(data.length)
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const statement = [hex('a363666d74646e6f6e656761747453746d74a0686175746844617461'), hex('59'), length, data]
    const clientDataJSON = this.#clientData('webauthn.create', challenge, deviation)
    return this.#credential({ clientDataJSON, attestationObject: Buffer.concat(statement).toString('base64url') })
  }

  get({ rpId, challenge }: Request, deviation: Deviation = {}) {
    this.signCount = deviation.signCount ?? this.signCount + 1
    const data = this.#data(rpId, Buffer.alloc(0), deviation)
    const clientDataJSON = this.#clientData('webauthn.get', challenge, deviation)
    const signed = Buffer.concat([data, createHash('sha256').update(bytes(clientDataJSON)).digest()])
    return this.#credential({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#key.privateKey).toString('base64url'),
      userHandle: deviation.userHandle ?? this.#userHandle,
    })
  }

  #credential<R>(response: R) {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, response, clientExtensionResults: {} }
  }

  /** Web Authentication section 6.1. */
  #data(rpId: string, attested: Buffer, { rpId: other = rpId, isUnverified = false }: Deviation): Buffer {
    const flags = FLAGS.present + (isUnverified ? 0 : FLAGS.verified) + (attested.length > 0 ? FLAGS.attested : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.signCount)
    return Buffer.concat([createHash('sha256').update(other).digest(), Buffer.from([flags]), count, attested])
  }

  #clientData(usual: string, asked: string, { type = usual, challenge = asked, origin = this.#origin }: Deviation) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }
}

function bytes(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
