import { Authenticator } from '../../authenticator.ts'
import type { Callers } from '../callers.ts'
import type { RequestCases } from './case.ts'
import { cookie, form, get, HTML, postJson } from './requests.ts'

const LOGIN = { username: 'jdbcuser', password: 'jdbcuser-demo' }

/** Sessions, and how they begin and end. */
export function loginAndLogout({ comeBackFromGithub, login }: Callers): RequestCases {
  return {
    home: [
      { what: 'a stranger', request: () => get('/'), answer: { status: 200, headers: HTML } },
      {
        what: 'a session among other cookies',
        request: async () => get('/', cookie(await login())),
        answer: { status: 200, text: /jdbcadmin/ },
      },
    ],
    loginPage: [{ what: 'a stranger', request: () => get('/login'), answer: { status: 200, headers: HTML } }],
    loginForm: [
      {
        what: 'a form in base64',
        request: () => form('/login', LOGIN),
        answer: { status: 302, headers: { location: /^\/$/, 'set-cookie': /JSESSIONID=.*; HttpOnly; Secure/ } },
      },
      {
        what: 'a form as text',
        request: () => ({ ...form('/login', LOGIN), asText: true }),
        answer: { status: 302, headers: { location: /^\/$/ } },
      },
    ],
    loginPasskeyOptions: [
      {
        what: 'a stranger',
        request: () => ({ method: 'POST', target: '/login/passkey/options' }),
        answer: {
          status: 200,
          json: { userVerification: 'required' },
          headers: { 'set-cookie': /passkey_login=.*Secure/ },
        },
      },
    ],
    loginPasskey: [
      {
        what: 'a credential of nobody',
        request: () => {
          const credential = new Authenticator('https://nowhere.example').get(
            { rpId: 'nowhere.example', challenge: 'eA' },
            { userHandle: 'bm9ib2R5' },
          )
          return postJson('/login/passkey', { credential })
        },
        answer: { status: 401, json: { details: { authType: 'Passkey', reason: 'Bad credentials' } } },
      },
    ],
    logout: [
      {
        what: 'a form with the token of its session',
        request: async () => {
          const session = await login()
          return form('/logout', { _csrf: session.csrfToken }, cookie(session))
        },
        answer: { status: 302, headers: { location: /^\/login\?logout$/ } },
      },
      {
        what: 'a session without its token',
        request: async () => form('/logout', {}, cookie(await login())),
        answer: { status: 403 },
      },
    ],
    oauth2Start: [
      {
        what: 'a provider in the path',
        request: () => get('/oauth2/authorization/github'),
        answer: { status: 302, headers: { location: /code_challenge_method=S256/, 'set-cookie': /Secure/ } },
      },
    ],
    oauth2Callback: [
      {
        what: 'a browser that comes back',
        request: async () => {
          const { target, cookies } = await comeBackFromGithub()
          return get(target, ['cookie', cookies])
        },
        answer: { status: 302, headers: { location: /^\/console\/token$/, 'set-cookie': /JSESSIONID=/ } },
      },
      {
        what: 'a state of nobody',
        request: () => get('/login/oauth2/code/github?code=a&state=b'),
        answer: { status: 302, headers: { location: /^\/login\?error/ } },
      },
    ],
    oauth2Steps: [
      {
        what: 'a session that began with the form',
        request: async () => get('/api/oauth2/steps', cookie(await login())),
        answer: { status: 404, json: { error: 'Not Found' } },
      },
    ],
    oauth2Profile: [
      {
        what: 'a session',
        request: async () => get('/api/oauth2/profile', cookie(await login())),
        answer: { status: 200, json: { user: 'jdbcadmin' } },
      },
    ],
  }
}
