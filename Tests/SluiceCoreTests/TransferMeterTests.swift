import SluiceCore
import Testing

struct TransferMeterTests {
    @Test(arguments: [10, 100, 1000]) func steadyRateIsMeasuredFromTheStart(step: Int) {
        var meter = TransferMeter()
        for time in stride(from: 0, through: 20_000, by: step) {
            meter.update(total: time * 50, now: at(time))
            if time >= 1000 { #expect(abs(meter.rate - 50_000) < 500, "after \(time) ms") }
        }
    }

    @Test func silenceFadesAndEnds() {
        var meter = TransferMeter()
        meter.update(total: 0, now: at(0))
        meter.update(total: 1_000_000, now: at(1000))
        let first = meter.rate
        meter.update(total: 1_000_000, now: at(3000))
        #expect(meter.rate < first / 2)
        meter.update(total: 1_000_000, now: at(120_000))
        #expect(meter.rate == 0)
    }

    @Test func afterFiveSecondsWithoutAByteThereIsNoRate() {
        var meter = TransferMeter()
        for time in stride(from: 0, through: 10_000, by: 100) { meter.update(total: time * 1_000, now: at(time)) }
        #expect(meter.lastNews == at(10_000))
        meter.update(total: 10_000_000, now: at(14_999))
        #expect(meter.rate > 0, "this may be a pause between two")
        meter.update(total: 10_000_000, now: at(15_000))
        #expect(meter.rate == 0 && meter.lastNews == at(10_000))
        meter.update(total: 10_001_000, now: at(15_500))
        #expect(meter.rate > 0 && meter.lastNews == at(15_500))
    }

    @Test func newStartAndOldTimesDoNoHarm() {
        var meter = TransferMeter()
        meter.update(total: 5_000_000, now: at(1000))
        #expect(meter.rate == 0, "what came before the first reading is not its own")
        meter.update(total: 10, now: at(500))
        meter.update(total: 1010, now: at(2000))
        #expect(meter.rate > 0 && meter.rate < 2000)
    }

    private func at(_ milliseconds: Int) -> Timestamp { Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000) }
}
