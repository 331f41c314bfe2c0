import { mount } from '../mount.tsx'

function Token() {
  return <p class="empty">Nothing here yet.</p>
}

mount(<Token />)
