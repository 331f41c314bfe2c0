import { mount } from '../mount.tsx'

function Webhooks() {
  return <p class="empty">Nothing here yet.</p>
}

mount(<Webhooks />)
