/** Keeps cookies as a browser does, as far as a login needs it: by host name and path, whatever the port (RFC 6265). */
export interface CookieJar {
  /** The value of a `Cookie` header. */
  headerFor(url: URL): string
  keep(url: URL, lines: readonly string[]): void
  set(url: URL, name: string, value: string, path: string): void
  readonly all: () => readonly Cookie[]
}

interface Cookie {
  readonly host: string
  readonly path: string
  readonly name: string
  readonly value: string
}

export function cookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>()

  function keepOne(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/)
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? []
    const given = new Map(attributes.map((attribute) => attribute.split('=', 2) as [string, string]))
    const lower = new Map([...given].map(([key, text]) => [key.toLowerCase(), text ?? '']))
    const path = lower.get('path') ?? url.pathname.replace(/\/[^/]*$/, '')
    const isOver = lower.get('max-age') === '0' || new Date(lower.get('expires') ?? '9999-01-01') <= new Date()
    const key = `${url.hostname} ${path} ${name}`
    if (isOver) cookies.delete(key)
    else cookies.set(key, { host: url.hostname, path, name, value })
  }

  return {
    all: () => [...cookies.values()],
    set: (url, name, value, path) =>
      cookies.set(`${url.hostname} ${path} ${name}`, { host: url.hostname, path, name, value }),
    keep: (url, lines) => {
      for (const line of lines) keepOne(url, line)
    },
    headerFor: (url) =>
      [...cookies.values()]
        .filter(({ host, path }) => host === url.hostname && isBelow(url.pathname, path))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  }
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}
