import Glibc
import SluiceCore
import SluiceSystem
import Testing

@testable import SluiceStore

@Suite(.timeLimit(.minutes(5)))
struct JobThreadTests {
    /// Notes what was done together, in order; each job may wait for a bell first.
    private final class Owner: Sendable {
        struct Job: Sendable {
            let number: Int
            var gate: Doorbell?
        }

        let jobs: JobThread<Job>
        let began = Doorbell(waits: true)
        let done = Locked<[[Int]]>([])
        let numbers = Locked<[Int]>([])

        init(_ collecting: JobThread<Job>.Collecting? = nil) { jobs = JobThread(collecting: collecting) }

        func makeThread() -> WorkerThread {
            WorkerThread { [self] in
                var taken: [Job] = []
                while let number = jobs.next(&taken) {
                    began.ring()
                    for job in taken { job.gate?.answer() }
                    let batch = taken.map(\.number)
                    done.withLock { $0.append(batch) }
                    numbers.withLock { $0.append(number) }
                }
            }
        }

        @discardableResult
        func add(_ number: Int, waitingFor gate: Doorbell? = nil, weight: Int = 0) -> Int? {
            jobs.add(weight: weight, else: makeThread) { $0.append(Job(number: number, gate: gate)) }
        }

        var batches: [[Int]] { done.withLock { $0 } }
    }

    @Test func whatIsLeftIsDoneInOrderBeforeItIsClosed() {
        let owner = Owner()
        let gate = Doorbell(waits: true)
        #expect(owner.add(1, waitingFor: gate) == 1)
        owner.began.answer()
        for number in 2...5 { #expect(owner.add(number) == number) }
        gate.ring()
        owner.jobs.close()
        #expect(owner.batches == [[1], [2, 3, 4, 5]])
        #expect(owner.numbers.withLock { $0 } == [1, 5], "the number of the last job of each batch")
    }

    @Test func whatIsHastenedWaitsForNoMore() {
        // Longer than the test may take.
        let owner = Owner(.init(mostWeight: 100, mostJobs: 100, patience: 600_000))
        owner.jobs.hasten()
        for number in 1...3 {
            owner.add(number)
            owner.jobs.hasten()
            owner.began.answer()
        }
        owner.jobs.close()
        #expect(owner.batches == [[1], [2], [3]])
    }

    /// The second of each pair comes as soon as the first is done, so that the thread may be asleep when it does, or about
    /// to be; none is lost, and the end is heard in each state.
    @Test func aThreadThatIsAboutToSleepMissesNothing() {
        for count in 1...200 {
            let owner = Owner()
            for number in 1...(count % 20 + 1) {
                owner.add(number)
                if number.isMultiple(of: 2) { owner.began.answer() }
            }
            owner.jobs.close()
            #expect(owner.batches.flatMap { $0 } == Array(1...(count % 20 + 1)))
        }
    }

    @Test func aClosedInboxTakesNothing() {
        let owner = Owner()
        owner.jobs.close()
        #expect(owner.add(1) == nil)
        #expect(!owner.jobs.start(owner.makeThread))
        owner.jobs.close()
        #expect(owner.batches.isEmpty)
    }

    @Test func itStartsOnceWithOrWithoutAJob() {
        let owner = Owner()
        #expect(owner.jobs.start(owner.makeThread))
        #expect(!owner.jobs.start(owner.makeThread))
        #expect(owner.add(1) == 1)
        owner.jobs.close()
        #expect(owner.batches == [[1]])
    }

    /// With an hour of patience: what ends it is the number, the weight, or the end.
    @Test(arguments: [[1, 1, 1], [3, 7, 0], [10, 0, 0]])
    func jobsWaitForOthersUntilTheyAreEnough(weights: [Int]) {
        let owner = Owner(.init(mostWeight: 10, mostJobs: 3, patience: 3_600_000))
        let count = weights[0] == 10 ? 1 : weights[1] == 7 ? 2 : 3
        for number in 1...count { owner.add(number, weight: weights[number - 1]) }
        owner.began.answer()
        owner.add(4)
        owner.jobs.close()
        #expect(owner.batches == [Array(1...count), [4]])
    }
}
