import { readBase64 } from './encoding.ts'
import { BASIC } from './methods.ts'
import { OF_ANY_AGE, type SignatureScheme } from './scheme.ts'

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
