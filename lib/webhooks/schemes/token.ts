import { readText } from './encoding.ts'
import { TOKEN } from './methods.ts'
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
