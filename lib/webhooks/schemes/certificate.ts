import { X509Certificate } from 'node:crypto'
import { bodyOf, type KeyAnswer, type PublishedKey } from './rotation.ts'

/** What a store of files answers for one that it does not have. */
const MISSING: readonly number[] = [403, 404]

/**
 * The certificate in an answer, in PEM; undefined if the server has none, or one for another name. Its issuer is not
 * checked: the connection proves that the provider published it.
 * @param names common names that its subject may have; any if absent
 * @throws Error for any other answer
 */
export function certificateIn(answer: KeyAnswer, names?: readonly string[]): PublishedKey | undefined {
  if (MISSING.includes(answer.status)) return undefined
  const certificate = new X509Certificate(bodyOf(answer))
  const subject = certificate.subject.split('\n')
  if (names && !names.some((name) => subject.includes(`CN=${name}`))) return undefined
  return {
    text: certificate.toString(),
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
  }
}
