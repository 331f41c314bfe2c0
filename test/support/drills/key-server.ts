import http, { type RequestOptions } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { env } from 'node:process'

const { request } = https

/** Has a function find Plaid's API at the address in `DRILL_KEY_SERVER`, without TLS. */
function redirected(url: string | URL, options: RequestOptions) {
  const { hostname, pathname } = new URL(url)
  if (!hostname.endsWith('.plaid.com')) return request(url, options)
  return http.request(new URL(pathname, env['DRILL_KEY_SERVER']), options)
}

Object.assign(https, { request: redirected })
syncBuiltinESMExports()
