/// Looking into lists while their names are typed.
extension AppReducer {
    /// Asks for a look at the first list of the line of which nothing is known.
    static func lookAtLists(_ state: inout AppState, _ change: inout Change) {
        // Most lines name none, and reading a long one for every key takes long.
        let mayNameLists = state.mode == .prompt && state.prompt.editor.characters.contains("@")
        let paths = mayNameLists ? PromptLine(state.prompt.editor.characters).lists : []
        if !state.prompt.listLooks.isEmpty {
            // Who comes back to a name sees what is there then.
            state.prompt.listLooks = state.prompt.listLooks.filter { paths.contains($0.key) }
        }
        guard state.prompt.awaitedLook == nil, let next = paths.first(where: { state.prompt.listLooks[$0] == nil })
        else { return }
        state.prompt.awaitedLook = next
        change.effects.append(.lookAtList(path: next))
    }

    static func take(listLook look: ListLook, at path: String, _ state: inout AppState, _ change: inout Change) {
        guard state.prompt.awaitedLook == path else { return }
        state.prompt.awaitedLook = nil
        state.prompt.listLooks[path] = look
        // The name may have grown meanwhile.
        lookAtLists(&state, &change)
    }
}
