/** Changes the first character of the last part, which stays canonical base64url. */
export function withOtherSignature(token: string): string {
  const { header, payload, signature } = partsOf(token)
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
}

/** A header with the algorithm `none`, and no signature. */
export function withoutAlgorithm(token: string): string {
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${partsOf(token).payload}.`
}

/** Replaces the claims but keeps the signature of the true ones. */
export function withOtherClaims(token: string, claims: object): string {
  const { header, signature } = partsOf(token)
  return `${header}.${encoded(claims)}.${signature}`
}

/** Keeps only the first two parts. */
export function withoutSignature(token: string): string {
  const { header, payload } = partsOf(token)
  return `${header}.${payload}`
}

function partsOf(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return { header, payload, signature }
}

function encoded(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
