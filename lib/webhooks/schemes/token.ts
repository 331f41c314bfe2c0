import { readBase64, readText } from './encoding.ts'
import { BASIC, TOKEN } from './methods.ts'
import { OF_ANY_AGE, type SignatureScheme, type SignedCall } from './scheme.ts'

/** The call contains the secret itself: this proves the caller, not the content. */
export function token(find: (call: SignedCall) => string | null | undefined): SignatureScheme {
  return {
    methods: [TOKEN],
    read(call) {
      const sent = find(call)
      return sent ? { method: TOKEN, signatures: [readText(sent)], signed: () => [], covers: 'nothing' } : undefined
    },
    ...OF_ANY_AGE,
  }
}

/** `Authorization: Bearer` and the secret (RFC 6750, section 2.1). */
export const bearer: SignatureScheme = {
  header: 'authorization',
  ...token(({ headers }) => /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]),
}

/** RFC 7617: user name and password prove the caller, not the content. The secret is `user:password`. */
export const basic: SignatureScheme = {
  header: 'authorization',
  methods: [BASIC],
  read({ headers }) {
    const [, encoded = ''] = /^basic +(\S+)$/i.exec(headers['authorization'] ?? '') ?? []
    const sent = readBase64(encoded)
    return sent && { method: BASIC, signatures: [sent], signed: () => [], covers: 'nothing' }
  },
  ...OF_ANY_AGE,
}
