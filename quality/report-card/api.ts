// Calls with fetch, axios or got, as a program does that knows of no fault: node api.ts <address> <library> <fault>...
import { argv } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import axios from 'axios'
import got from 'got'

const [address, library = '', ...faults] = argv.slice(2)
const USER = { username: 'user', password: 'user-demo' }

type Headers = Record<string, string>
type Send = (url: string, headers: Headers, form?: typeof USER) => Promise<{ cookies: string[]; text: string }>

/** As the first examples of their pages have it; an answer without success is an exception of axios and of got. */
const LIBRARIES: Readonly<Record<string, Send>> = {
  async fetch(url, headers, form) {
    const answer = await fetch(url, form ? { method: 'POST', headers, body: new URLSearchParams(form) } : { headers })
    return { cookies: answer.headers.getSetCookie(), text: await answer.text() }
  },
  async axios(url, headers, form) {
    const answer = await (form ? axios.post(url, new URLSearchParams(form), { headers }) : axios.get(url, { headers }))
    return { cookies: answer.headers['set-cookie'] ?? [], text: JSON.stringify(answer.data) }
  },
  async got(url, headers, form) {
    const answer = await (form ? got.post(url, { form, headers }) : got(url, { headers }))
    return { cookies: answer.headers['set-cookie'] ?? [], text: answer.body }
  },
}

async function visit(fault: string, send: Send): Promise<void> {
  const base = `${address}/lab/${fault}`
  const named = { 'X-Client-Name': library }
  const headers = { ...named, ...(await proofOf(fault, (path) => send(base + path, named, USER))) }
  for (let turn = 0; turn < 3; turn++) {
    if (turn > 0 && fault === 'expires-soon') await setTimeout(3000)
    await send(`${base}/api/user/secure`, headers).catch(() => undefined)
  }
}

async function proofOf(fault: string, logIn: (path: string) => ReturnType<Send>): Promise<Headers> {
  if (fault !== 'session-ends')
    return { Authorization: `Bearer ${JSON.parse((await logIn('/api/auth/login')).text).token}` }
  const [cookie] = await logIn('/login').then(
    ({ cookies }) => cookies,
    () => [],
  )
  return cookie === undefined ? {} : { Cookie: cookie.replace(/;.*/, '') }
}

await Promise.all(faults.flatMap((fault) => visit(fault, LIBRARIES[library] as Send)))
