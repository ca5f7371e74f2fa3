internal import SluiceCore

extension ImagePipeline {
    /// Adds what the screen looks at; costs what it shows.
    func fillInspected(_ snapshot: inout PipelineSnapshot) {
        if inspection.largest > 0 { snapshot.largest = largestImages() }
        guard let id = inspection.task, let task = scheduler.task(id) else { return }
        let row = row(task, position: scheduler.position(of: id) ?? 0)
        let receipts = scheduler.receipts(of: id)
        var facts = TaskFacts(
            row,
            key: task.key.text,
            claims: receipts.prefix(TaskFacts.claimLimit).map { receipt in
                TaskFacts.Claim(
                    receipt: receipt.id,
                    source: receipt.source,
                    submitted: receipt.submitted,
                    options: receipt.options,
                    tag: receipt.tag
                )
            },
            policy: receipts.first?.options.policy ?? settings.policy
        )
        if case .active(let transfer) = task.phase, let active = transfers[transfer] {
            (facts.started, facts.head) = (active.started, active.head)
            (facts.network, facts.decoding) = (active.end?.timings, active.decoding)
        }
        snapshot.inspected = facts
    }

    private func largestImages() -> [CachedImageRow] {
        cache.largestEntries(min(inspection.largest, 100)).map { entry in
            let bitmap = cache.peek(entry.key)?.image.bitmap
            return CachedImageRow(
                key: entry.key,
                cost: entry.cost,
                width: bitmap?.width ?? 0,
                height: bitmap?.height ?? 0,
                accessed: entry.accessed
            )
        }
    }
}
