import { cookieJar } from './cookie-jar.ts'

/**
 * What a browser does with the address of a login whose user `login_hint` names.
 * @returns the address at which it comes back to the client
 */
export async function followLogin(begin: URL, redirectUri: string): Promise<URL> {
  const jar = cookieJar()
  let url = begin
  for (let step = 0; step < 10; step++) {
    if (url.href.startsWith(redirectUri)) return url
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: jar.headerFor(url) } })
    jar.keep(url, response.headers.getSetCookie())
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
  }
  throw new Error(`${url.href} leads nowhere`)
}
