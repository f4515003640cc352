import { useParams } from 'wouter'
import { Split } from '../ui/layout/split.tsx'
import { ChatList } from './chat-list.tsx'
import { ChatPane } from './chat-pane.tsx'
import { NewChat } from './new-chat.tsx'

/** The chats on the left, one of them (or the form for a new one) on the right; on a phone, one or the other. */
export default function ChatScreen() {
  const { id } = useParams<{ id?: string }>()
  return (
    <Split title="Chat" begin={{ href: '/chat/new', label: 'New chat' }} list={<ChatList openId={id} />} opened={id !== undefined}>
      {id === undefined || id === 'new' ? <NewChat /> : <ChatPane key={id} id={id} />}
    </Split>
  )
}
