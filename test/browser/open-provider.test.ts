import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, inject, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { describeInBrowser, newContext } from '../support/visit.ts'

/** An OAuth client that is nothing but a page: it keeps its verifier, comes back with the code, and shows the user. */
const PAGE = `<!doctype html><html lang="en"><title>A client</title><h1>A client</h1><p id="user"></p><script type="module">
const at = new URLSearchParams(location.search)
const issuer = at.get('issuer') ?? sessionStorage.issuer
const metadata = await (await fetch(issuer + '/.well-known/openid-configuration')).json()
const common = { client_id: 'page', redirect_uri: location.origin + '/back' }
const post = (form) => ({ method: 'POST', body: new URLSearchParams({ ...common, ...form }) })
if (at.has('issuer')) {
  const text = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '')
  const verifier = text(crypto.getRandomValues(new Uint8Array(32)))
  Object.assign(sessionStorage, { issuer, verifier })
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const asked = { ...common, response_type: 'code', scope: 'openid profile', code_challenge_method: 'S256' }
  const challenge = { code_challenge: text(new Uint8Array(hash)) }
  location.href = metadata.authorization_endpoint + '?' + new URLSearchParams({ ...asked, ...challenge })
} else {
  const form = { grant_type: 'authorization_code', code: at.get('code'), code_verifier: sessionStorage.verifier }
  const tokens = await (await fetch(metadata.token_endpoint, post(form))).json()
  const headers = { authorization: 'Bearer ' + tokens.access_token }
  const user = await (await fetch(metadata.userinfo_endpoint, { headers })).json()
  document.querySelector('#user').textContent = user.name
}
</script></html>`

describeInBrowser('set-38 a client that is a page of this machine', () => {
  it('logs in at the open provider, whose page names it in place of Gatehouse', async () => {
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const context = await newContext()
    try {
      const page = await context.newPage()
      const { port } = server.address() as AddressInfo
      await page.goto(`http://localhost:${port}/?issuer=${inject('ready').idp?.google}`)
      await page.getByRole('heading', { name: 'page asks for' }).waitFor()
      expect(await page.locator('main').innerText()).not.toContain('Gatehouse')
      await expectSound(page)
      await page.getByRole('button', { name: /Grace User/ }).click()
      await page.waitForURL(`http://localhost:${port}/back**`)
      await page.getByText('Grace User').waitFor()
    } finally {
      await context.close()
      server.close()
    }
  })
})
