import { defineConfig } from 'gatehouse'

export default defineConfig({
  sources: {
    // A sender of your own: it signs its bytes with HMAC-SHA256, and sends the signature in this header.
    demo: {
      proof: { kind: 'hmac', header: 'x-demo-signature' },
      event: { id: { path: 'id' }, type: { path: 'type' } },
    },
  },
  destinations: {
    // Where accepted events go besides your handlers, with `byStage` from 'gatehouse':
    // erp: {
    //   to: 'http',
    //   url: byStage({ local: 'http://127.0.0.1:4000/hooks', default: 'https://erp.example.com/hooks' }),
    //   // It is also told of itself: that it was down, and which deliveries were given up.
    //   from: { demo: ['**'], gatehouse: ['destination.*', 'delivery.dead'] },
    // },
  },
})
