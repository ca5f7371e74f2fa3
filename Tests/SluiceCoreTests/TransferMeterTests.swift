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

    /// A server that sends a chunk at a time, the first at once: counting that one gave twice its rate.
    @Test(arguments: [100, 250, 500, 1000]) func aRateNeverBeginsAboveWhatComes(chunkEvery: Int) {
        var meter = TransferMeter()
        for time in stride(from: 0, through: 8_000, by: 33) {
            meter.update(total: time < 33 ? 0 : (1 + (time - 33) / chunkEvery) * chunkEvery * 200, now: at(time))
            #expect(meter.rate <= 240_000, "after \(time) ms")
        }
        #expect(meter.rate >= 160_000)
    }

    @Test func bytesThatComeAtOnceAreThoseOfASecond() {
        var meter = TransferMeter()
        meter.update(total: 0, now: at(0))
        meter.update(total: 600_000, now: at(33))
        #expect(meter.rate == 600_000)
        meter.update(total: 600_000, now: at(2_033))
        #expect((1..<300_000).contains(meter.rate), "and fade if no others follow")
    }

    @Test func timeBeforeTheFirstByteIsNotMeasured() {
        var meter = TransferMeter()
        meter.update(total: 0, now: at(0))
        for time in stride(from: 60_000, through: 64_000, by: 100) {
            meter.update(total: (time - 60_000) * 50, now: at(time))
        }
        #expect(abs(meter.rate - 50_000) < 500)
    }

    @Test func aPartThatGoesNoFurtherIsForgotten() {
        for late in [0, 1_000] {
            var (all, one, other) = (TransferMeter(), TransferMeter(), TransferMeter())
            for time in stride(from: 0, through: 6_000, by: 33) {
                let (mine, others) = (time * 900, max(0, time - late) * 10)
                one.update(total: mine, now: at(time))
                other.update(total: others, now: at(time))
                all.update(total: mine + others, now: at(time))
            }
            all.forget(one)
            #expect(abs(all.rate - other.rate) < 2_000, "began \(late) ms later")
            all.forget(other)
            #expect(all.rate < 50)
        }
    }

    @Test func anewMeansFromTheNextBytes() {
        var meter = TransferMeter()
        for time in stride(from: 0, through: 5_000, by: 100) { meter.update(total: time * 1_000, now: at(time)) }
        meter.restart()
        #expect(meter.rate == 0 && meter.lastNews == at(5_000))
        for time in stride(from: 5_100, through: 7_000, by: 100) {
            meter.update(total: 5_000_000 + (time - 5_000) * 20, now: at(time))
            #expect(meter.rate <= 20_100)
        }
        #expect(meter.rate >= 19_000)
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

    @Test func theFirstTwoSecondsTellNothingOfTheTimeToCome() {
        var meter = TransferMeter()
        meter.update(total: 0, now: at(0))
        #expect(!meter.isSteady)
        meter.update(total: 1_000, now: at(5_000))
        meter.update(total: 2_000, now: at(6_999))
        #expect(meter.rate > 0 && !meter.isSteady)
        meter.update(total: 3_000, now: at(7_000))
        #expect(meter.isSteady)
        meter.restart()
        #expect(!meter.isSteady)
    }

    @Test func aGuessNeedsASecondAndBytesAfterTheFirst() {
        var meter = TransferMeter()
        meter.update(total: 0, now: at(0))
        meter.update(total: 100_000, now: at(33))
        #expect(meter.rate > 0 && !meter.isMeasured)
        meter.update(total: 110_000, now: at(500))
        #expect(!meter.isMeasured)
        meter.update(total: 120_000, now: at(1_033))
        #expect(meter.isMeasured && !meter.isSteady)
        meter.restart()
        meter.update(total: 220_000, now: at(1_100))
        meter.update(total: 220_000, now: at(2_500))
        #expect(meter.rate > 0 && !meter.isMeasured, "what lay ready, and nothing since")
        meter.update(total: 220_000, now: at(3_100))
        #expect(meter.isMeasured && meter.isSteady)
    }

    @Test func newStartAndOldTimesDoNoHarm() {
        var meter = TransferMeter()
        meter.update(total: 5_000_000, now: at(1000))
        #expect(meter.rate == 0, "what came before the first reading is not its own")
        meter.update(total: 10, now: at(500))
        meter.update(total: 1010, now: at(2000))
        #expect(meter.rate > 0 && meter.rate < 2000)
    }

    /// A log may say that of one task, line after line.
    @Test func noRateIsMoreThanCanBeCounted() {
        var meter = TransferMeter()
        for reading in 0..<8_000 { meter.update(total: reading % 2 == 0 ? 0 : 1 << 53, now: at(0)) }
        meter.update(total: 0, now: Timestamp(nanoseconds: 1_000))
        #expect(meter.rate == 1 << 53)
        meter.update(total: 0, now: at(2_000))
        #expect(meter.rate == 1 << 53)
    }

    private func at(_ milliseconds: Int) -> Timestamp { Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000) }
}
