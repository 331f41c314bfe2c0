import { describe, expect, it } from 'vitest'
import { docsPage } from '../../../../lib/http/pages/docs.ts'

describe('the page of the description', () => {
  const { statusCode, headers, body = '' } = docsPage()

  it('is HTML in UTF-8', () => {
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>\n<html lang="en">/)
  })

  it('C01 may load what is ours and nothing else, and has no script or style inside', () => {
    expect(headers['content-security-policy']?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ])
    expect(body).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|https?:/i)
  })
})
