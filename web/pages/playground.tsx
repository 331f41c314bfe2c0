import { mount } from '../mount.tsx'

function Playground() {
  return <p class="empty">Nothing here yet.</p>
}

mount(<Playground />)
