import { useParams } from 'wouter'
import { ChatList } from './chat-list.tsx'
import { ChatPane } from './chat-pane.tsx'
import { NewChat } from './new-chat.tsx'

/** The chats on the left, one of them (or the form for a new one) on the right; on a phone, one or the other. */
export default function ChatScreen() {
  const { id } = useParams<{ id?: string }>()
  const opened = id !== undefined && id !== 'new'
  return (
    <div className="flex h-full">
      <aside
        className={`w-full shrink-0 border-line bg-surface sm:block sm:w-64 sm:border-r lg:w-72 ${id === undefined ? 'max-sm:block' : 'max-sm:hidden'}`}
      >
        <ChatList openId={id} />
      </aside>
      <div className={`min-w-0 flex-1 ${id === undefined ? 'max-sm:hidden' : ''}`}>
        {opened ? <ChatPane key={id} id={id} /> : <NewChat />}
      </div>
    </div>
  )
}
