/// The executor of a pipeline: runs its jobs, and between them its rounds.
public protocol PipelineExecutor: SerialExecutor {
    /// Asks for a round soon. Callable from any thread; never blocks.
    func wake()
}
