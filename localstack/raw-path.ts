/** The path of a request target, in origin or absolute form (RFC 9112 section 3.2). */
export function rawPathOf(target: string): string {
  const [path = ''] = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split('?')
  return path === '' ? '/' : path
}
