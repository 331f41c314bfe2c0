import { expect, it } from 'vitest'
import { rawPathOf, rawQueryOf } from '../../../../localstack/stack/guard.ts'

it.each([
  { target: '/', path: '/' },
  { target: '/%61pi/../x%7E/.?a=%61', path: '/%61pi/../x%7E/.' },
  { target: '//api\\x#', path: '//api\\x#' },
  { target: 'http://127.0.0.1:3000/api/%61', path: '/api/%61' },
  { target: 'HTTPS://user@host/api?x', path: '/api' },
  { target: 'http://host?a', path: '/' },
])('the path of $target is $path', ({ target, path }) => {
  expect(rawPathOf(target)).toBe(path)
})

it.each([
  { target: '/', query: '' },
  { target: '/?a=%20b&c=+&d=%c3%a9', query: 'a=%20b&c=+&d=%c3%a9' },
  { target: '/?a?b=/x', query: 'a?b=/x' },
  { target: '/??', query: '?' },
  { target: 'http://host?b=1,2', query: 'b=1,2' },
])('the query of $target is $query', ({ target, query }) => {
  expect(rawQueryOf(target)).toBe(query)
})
