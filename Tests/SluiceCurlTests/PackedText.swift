import SluiceCore

/// One text, packed in every way that servers use, by the libraries' own tools.
enum PackedText {
    static let text = (0..<200).map { "line \($0) of a text that packs well\n" }.joined()

    static let gzip = bytes(
        """
        H4sIAAAAAAACA43ZW4pTQRiF0XdHcYZwdt1rOEHSKAYVDOjwxQm46v1/WqST/VW/vn5/Xvf14+N6XO/nn/f1/vJ4Xz8fn7/9un4/
        X69Pr38H0UHRQdVB00HXwdDB1MHSwSaUKWkZYoaaIWfoGYKGoiFpaFpoWvz5pGmhaaFpoWmhaaFpoWmhaaVppWn1Hz1NK00rTStN
        K00rTStNG00bTRtNm79Jadpo2mjaaNpo2mjaadpp2mnaadr980TTTtNO007TTtNB00HTQdNB00HT4d98mg6aDpoOmk6aTppOmk6a
        TppOmk4PKZpOmk6aLpoumi6aLpoumi6aLpour1OaLppumm6abppumm6abppumm6abk/+g83v0X979d+e/bd3/+3hf3v5357+t7f/
        7fF/W/ckqax7EFUHVXWQVQdddRBWB2V1kFZuqziuUg6K1bruqziw4sKKEyturDiy4sqKMyvurNSDBwHrOrXi1opjK66tOLfi3oqD
        Ky6uOLnSDt5brOvqirMr7q44vOLyitMrbq84vuL6Sj94zrKuAywusDjB4gaLIyyusDjD4g6LQyzj4LXQum6xOMbiGotzLO6xOMji
        IouTLG6yzIPHWOs6y+Iui8MsLrM4zeI2i+MsrrM4z7IO3rqt60KLEy1utDjS4kqLMy3utDjU4lLLPvhXwv90/wL+hPo26hoAAA==
        """
    )

    /// `deflate` as it should be.
    static let zlib = bytes(
        """
        eNqN2VuKU0EYhdF3R3GGcHbdazhB0igGFQzo8MUJuOr9f1qkk/1Vv75+f1739ePjelzv55/39f7yeF8/H5+//bp+P1+vT69/B9FB
        0UHVQdNB18HQwdTB0sEmlClpGWKGmiFn6BmChqIhaWhaaFr8+aRpoWmhaaFpoWmhaaFpoWmlaaVp9R89TStNK00rTStNK00rTRtN
        G00bTZu/SWnaaNpo2mjaaNpo2mnaadpp2mna/fNE007TTtNO007TQdNB00HTQdNB0+HffJoOmg6aDppOmk6aTppOmk6aTppODyma
        TppOmi6aLpoumi6aLpoumi6aLq9Tmi6abppumm6abppumm6abppumm5P/oPN79F/e/Xfnv23d//t4X97+d+e/re3/+3xf1v3JKms
        exBVB1V1kFUHXXUQVgdldZBWbqs4rlIOitW67qs4sOLCihMrbqw4suLKijMr7qzUgwcB6zq14taKYyuurTi34t6Kgysurji50g7e
        W6zr6oqzK+6uOLzi8orTK26vOL7i+ko/eM6yrgMsLrA4weIGiyMsrrA4w+IOi0Ms4+C10LpusTjG4hqLcyzusTjI4iKLkyxussyD
        x1jrOsviLovDLC6zOM3iNovjLK6zOM+yDt66retCixMtbrQ40uJKizMt7rQ41OJSyz74V8L/dP8CXzr+5Q==
        """
    )

    /// `deflate` as some servers send it.
    static let bare = bytes(
        """
        jdlbilNBGIXRd0dxhnB23Ws4QdIoBhUM6PDFCbjq/X9apJP9Vb++fn9e9/Xj43pc7+ef9/X+8nhfPx+fv/26fj9fr0+vfwfRQdFB
        1UHTQdfB0MHUwdLBJpQpaRlihpohZ+gZgoaiIWloWmha/PmkaaFpoWmhaaFpoWmhaaFppWmlafUfPU0rTStNK00rTStNK00bTRtN
        G02bv0lp2mjaaNpo2mjaaNpp2mnaadpp2v3zRNNO007TTtNO00HTQdNB00HTQdPh33yaDpoOmg6aTppOmk6aTppOmk6aTg8pmk6a
        Tpoumi6aLpoumi6aLpoumi6vU5oumm6abppumm6abppumm6abppuT/6Dze/Rf3v13579t3f/7eF/e/nfnv63t//t8X9b9ySprHsQ
        VQdVdZBVB111EFYHZXWQVm6rOK5SDorVuu6rOLDiwooTK26sOLLiyoozK+6s1IMHAes6teLWimMrrq04t+LeioMrLq44udIO3lus
        6+qKsyvurji84vKK0yturzi+4vpKP3jOsq4DLC6wOMHiBosjLK6wOMPiDotDLOPgtdC6brE4xuIai3Ms7rE4yOIii5MsbrLMg8dY
        6zrL4i6LwywuszjN4jaL4yyuszjPsg7euq3rQosTLW60ONLiSoszLe60ONTiUss++FfC/3T/Ag==
        """
    )

    static let brotli = bytes(
        """
        G+kaAIQHbbzzM+qE7Gt7PycntoSEgGACquBEABqVaCzoZ118UCjCySY8qjajSf7//vp5jRi/7/Ecn9f/Z/zKfQb//kbT91FEKKmo
        adKiTYdutM5No9FoNBqNhqWlpaWlpaWlpaWVlZWVlZWVlZWVtbW1tbW1tbW1tU2bNm3atGnTpk2btmzZsmXLli1btmzZtm3btm3b
        tm3btm3Hjh07duzYsWPHjl27du3atWvXrl27N+Em3ISbcBNuwk24CTfhKMxn1Rhrrlar1Wo1ikQikUgkEolEIpFIJBKJRCKRSCQS
        iUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgkEolEIpFIJBKJRCKRSCQSiUQikUgk8js=
        """
    )

    static let zstandard = bytes(
        """
        KLUv/WDqGZ0IAMZULBeAK2gOQOyf2AQCaII3LS1tIgtXjLGCATAAJQAeAEVERERENDMzMzPTtm3b/v9/4lnRdAACMXAQxkEQWJBG
        oNAgjcegQQKEoCCFDBIGRP///18ul8vlcrlcLmdmZmZmIiIiIiLe3d3d3ZmZmZmZVVVVVVXXdV3XdV3TNE3TNE3T9DzP8zzP8zz3
        3nvvvff+/wF5nud5nud5juM4juM4juP3fd/3fd/3bdu2bdu2bdt1BYDIqBEQ+v0/A9Ab1QERJAT/P0Ig8QNXS7OzuZlZW1XNzczW
        ZmptcViA7a/otbqSa9tKrZ0VWC8AIAAAAgAgAAACACBQV2G1qgLVmgqpFRVQ6ymcXsEwgWGCmawVApAq
        """
    )

    /// `Content-Encoding: gzip, br`.
    static let gzipThenBrotli = bytes(
        """
        GwoCAGTwvTcJ7eAM4tmD0Bz0ZU1G3iDo5Li1FkGLA44s0xZYhhe0ALQOCkS6opCObBdTUD4ZvEC4mfAldgZb+Sb5BI0+ACZdcjTc
        THNrtfQFC8fR57+9OvYoL4uKvry7TSKFXVyd/bi7fbIRcsVI9GP5cVGU0ZV0p/Ro2k6TTpNek26T/sqOyp7KrkqZ1/L3+K8nvRG/
        M8cfl/RF/N7d83fPH+1/u/c5+l63RQ0cMBYMb8tt7g3dlXt+vGne7agmNjke8YYlOQ6r/AdKOt0N9PI3p5P41tXO6PDt8Q/H+cGn
        y5PR4fvjH07y80+X16Mv7Er9/hfO5kHrEfjcg/ZSIJsn7a3A555ef0GaKwvRW7TyF2SgKoIT8/oHslAToY6t/OuJpyVf1M1FfcQN
        LO0/yEdjRDymlAYKu1jGLvxbXCCysZU0UII2iG7MKx2UoQNbo5C2rDRKXCkDVCIaKImnZYBqxALNcNJEbkeRVyaoQwLQH1/JBA1I
        Ar7CvbJa4uvPLuo2IyVYjStlg1akBUl4WjZoz2IZK/q/aAo5Fb1yQBeyheqKKzmgB7k2G+6dqToNOKU4STjQWhAgIwM=
        """
    )

    private static func bytes(_ text: String) -> [UInt8] { Base64.decode(text.utf8.filter { $0 > 32 }) ?? [] }
}
