import type { Reply, Request } from './answers.ts'
import { xml } from './answers.ts'

interface StoredObject {
  readonly body: Buffer
  /** As headers. */
  readonly metadata: Readonly<Record<string, string>>
}

/** S3, as far as the deployment engine uses it: the address of an object is `/bucket/key`. */
export function buckets() {
  const objects = new Map<string, StoredObject>()

  function list(bucket: string, prefix: string): Reply {
    const found = [...objects.keys()].filter((key) => key.startsWith(`${bucket}/${prefix}`))
    const contents = found.map((key) => `<Contents>${xml({ Key: key.slice(bucket.length + 1) })}</Contents>`)
    return {
      status: 200,
      body: `<ListBucketResult>${contents.join('')}<IsTruncated>false</IsTruncated></ListBucketResult>`,
    }
  }

  function put(place: string, { headers, body }: Request): Reply {
    const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'))
    const stored = {
      ...(Object.fromEntries(metadata) as Record<string, string>),
      'last-modified': new Date().toUTCString(),
    }
    objects.set(place, { body, metadata: stored })
    return { status: 200, headers: { etag: '"0"' } }
  }

  function remove(bucket: string, { body }: Request): Reply {
    for (const [, key] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(`${bucket}/${key}`)
    return { status: 200, body: '<DeleteResult/>' }
  }

  function get(place: string, { method }: Request): Reply {
    const found = objects.get(place)
    return found ? { status: 200, headers: found.metadata, body: method === 'HEAD' ? '' : found.body } : { status: 404 }
  }

  return {
    isFull: (bucket: string) => [...objects.keys()].some((key) => key.startsWith(`${bucket}/`)),
    /** The text at an address of S3. */
    textAt: (url: string) => objects.get(decodeURIComponent(new URL(url).pathname).slice(1))?.body.toString() ?? '',
    answer(request: Request): Reply {
      const { method, path, query } = request
      const place = decodeURIComponent(path).slice(1).replace(/\/$/, '')
      const [bucket = ''] = place.split('/', 1)
      if (method === 'PUT') return put(place, request)
      if (query.has('delete')) return remove(bucket, request)
      if (query.has('list-type')) return list(bucket, query.get('prefix') ?? '')
      return place === bucket ? { status: 200 } : get(place, request)
    },
  }
}
