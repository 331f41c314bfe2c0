import { type Answer, type Call, call, form } from './client.ts'

/** A client that keeps its cookies, as a browser does, and follows no redirect. */
export class CookieClient {
  readonly cookies = new Map<string, string>()

  async call(path: string, request: Call = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = cookie === '' ? request.headers : { cookie, ...request.headers }
    const answer = await call(path, { ...request, ...(headers && { headers }) })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line)
    return answer
  }

  /** Logs in with the form; what the form answered. */
  login(username: string, password: string): Promise<Answer> {
    const { headers, ...request } = form({ username, password })
    return this.call('/login', { ...request, headers: { ...headers, ...this.csrf() } })
  }

  /** Its cookies as a call has them. */
  asCall(): Call {
    return { headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') } }
  }

  csrf(): Record<string, string> {
    const token = this.cookies.get('XSRF-TOKEN')
    return token === undefined ? {} : { 'x-xsrf-token': token }
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** The `Set-Cookie` line of a cookie. */
export function cookieLine({ headers }: Answer, name: string): string {
  return [headers['set-cookie'] ?? []].flat().find((line) => line.startsWith(`${name}=`)) ?? ''
}
