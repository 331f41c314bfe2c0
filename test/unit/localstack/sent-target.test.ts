import { expect, it } from 'vitest'
import { rawPathOf } from '../../../localstack/raw-path.ts'

it.each([
  { target: '/', path: '/' },
  { target: '/?a=/b', path: '/' },
  { target: '/api/x/', path: '/api/x/' },
  { target: '/%61pi/../x%7E/.?a=%61', path: '/%61pi/../x%7E/.' },
  { target: '//api\\x#', path: '//api\\x#' },
  { target: 'http://127.0.0.1:3000/api/%61', path: '/api/%61' },
  { target: 'HTTPS://user@host/api?x', path: '/api' },
  { target: 'http://host', path: '/' },
  { target: 'http://host?a', path: '/' },
])('the path of $target is $path', ({ target, path }) => {
  expect(rawPathOf(target)).toBe(path)
})
